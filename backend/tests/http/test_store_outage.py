"""A site whose objects are in a bucket that stops answering: 503 soon, and nobody else waits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from liuying.installation.services import Services
from liuying.kit import s3_store
from liuying.kit.object_keys import picture_key
from liuying.kit.object_records import ObjectRecords
from liuying.kit.s3_store import S3Store
from liuying.workflows.catalogue_rows import register_asset
from tests.deploy.served import PATIENCE_S, served
from tests.s3_server import S3Server
from tests.waiting import wait_until

KEY, PICTURE = "abcdefgh12345678abcd", "0123456789abcdef0123456789abcdef"
SEGMENT = f"/media/{KEY}/360/s00001.m4s"
BODY = bytes(range(256)) * 8192  # more than is fetched at once


@pytest.fixture
def own(tmp_path: Path) -> Iterator[S3Server]:
    server = S3Server(tmp_path / "own")
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def site(
    filled: Services, own: S3Server, monkeypatch: pytest.MonkeyPatch
) -> Iterator[httpx.Client]:
    monkeypatch.setattr(s3_store, "READ_S", 1.0)
    monkeypatch.setattr(s3_store, "READ_RETRY_S", 0.0)
    store = S3Store(own.place(), ObjectRecords(filled.database))
    store.put_if_absent(f"media/{KEY}/360/s00001.m4s", BODY)
    store.put_if_absent(picture_key(PICTURE), b"CV")
    with filled.database.write() as connection:
        register_asset(connection, KEY, "content", "a.mp4", is_protected=False)
    with (
        served(msgspec.structs.replace(filled, objects=store)) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as client,
    ):
        yield client


@pytest.mark.parametrize("is_frozen", [False, True])
def test_an_outage_is_503_and_ends(site: httpx.Client, own: S3Server, *, is_frozen: bool) -> None:
    listed = site.get("/api/videosort/0").json()["rescont"]["data"]
    players = [f"/playVideo?id={one['id']}" for one in listed if not one["isLock"]]
    assert len(players) > 1
    whole = site.get(SEGMENT)
    assert (whole.status_code, whole.content) == (200, BODY)
    part = site.get(SEGMENT, headers={"range": "bytes=1000000-1999999"})
    assert (part.status_code, part.content) == (206, BODY[1_000_000:2_000_000])
    (own.freeze if is_frozen else own.kill)()
    try:
        for path in (SEGMENT, f"/enc/{PICTURE}.bin"):
            refused = site.get(path)
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
            assert refused.json()["code"] == 503
        assert site.get("/api/config").status_code == 200
        # Documents come without the picture inside them.
        for path in ("/", *players):
            assert site.get(path).status_code == 200
    finally:
        (own.thaw if is_frozen else own.start)()
    # A store that has just gone on may need longer than this site waits.
    wait_until(lambda: site.get(SEGMENT).content == BODY)
    wait_until(lambda: site.get(f"/enc/{PICTURE}.bin").content == b"CV")
