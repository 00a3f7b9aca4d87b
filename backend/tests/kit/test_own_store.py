"""The store of `make cluster` and of these tests lets nobody in beside S3
(docs/security.md#t40).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import obstore
import pytest
from liuying_cluster.certificates import Certificates, make_certificates, refuses
from liuying_cluster.store import BUCKET, Store

from liuying.kit.s3_bucket import bucket_of


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    """Of an authority of its own."""
    folder = tmp_path / "certificates"
    folder.mkdir()
    return make_certificates(folder)


@pytest.fixture
def store(tmp_path: Path, certificates: Certificates) -> Iterator[Store]:
    """One that speaks HTTPS, as in a cluster."""
    made = Store(tmp_path, certificates=certificates)
    made.start()
    yield made
    made.part.kill()


def test_a_store_is_reached_by_signed_https_alone(
    store: Store, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.endpoint.startswith("https://")
    assert store.status_without_key() == 403
    assert len(store.inner_ports) == 3
    assert all(refuses(port, certificates) for port in (*store.inner_ports, *store.grpc_ports))
    for method in ("GET", "DELETE"):
        assert store.filer_status(method, f"/buckets/{BUCKET}/") == 401
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates.authority))
    bucket = bucket_of(store.place(), request_s=10.0, retry_s=5.0)
    obstore.put(bucket, "kept", b"content" * 100_000)
    store.part.kill()
    store.start()
    assert bytes(obstore.get_range(bucket, "kept", start=7, end=14)) == b"content"
