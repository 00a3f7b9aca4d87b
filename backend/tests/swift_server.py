"""A second S3 store to test with: OpenStack Swift behind its S3 interface, on loopback. Debian has
it (`python3-swift`, `swift`); it is tried where it is installed.

It takes no conditional writes, lists what was written a moment later than SeaweedFS, and keeps its
files' facts in extended attributes, which not every file system has.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from liuying.kit.s3_place import S3Place
from tests.deploy.served import free_port
from tests.waiting import PATIENCE_S

PYTHON, RINGS = "/usr/bin/python3", "/usr/bin/swift-ring-builder"
ACCESS_KEY, SECRET_KEY = "test:tester", "testing"
BUCKET = "liuying"
TRIES = 3
SERVERS = ("account", "container", "object", "proxy")
STARTED = """
import sys
import swift.common.utils as utils
utils.SWIFT_CONF_FILE = sys.argv[1] + "/swift.conf"
utils.HASH_PATH_PREFIX = utils.HASH_PATH_SUFFIX = b"test"
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(f"{sys.argv[1]}/{sys.argv[2]}.conf", f"{sys.argv[2]}-server"))
"""
COMMON = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
workers = 0
user = {user}
fallocate_reserve = 0
log_level = WARNING
recon_cache_path = {folder}
[pipeline:main]
pipeline = {pipeline}
[app:{name}-server]
use = egg:swift#{name}
account_autocreate = true
allow_account_management = true
"""
# The cache is asked for and not needed: nobody listens there.
FILTERS = """
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
check_bucket_owner = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
""" + "".join(
    f"[filter:{name}]\nuse = egg:swift#{name}\n"
    for name in ("catch_errors", "gatekeeper", "bulk", "slo", "dlo")
)
PROXY = "catch_errors gatekeeper cache s3api tempauth bulk slo dlo proxy-server"


def missing() -> str:
    """Why it cannot be started here; empty if it can."""
    if not Path(RINGS).exists():
        return "OpenStack Swift is not installed (python3-swift): no second S3 store is tried"
    return ""


class SwiftServer:
    """Swift with one device and one replica.

    Args:
        folder: Its data, on a file system with extended attributes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ports = {name: free_port() for name in SERVERS}
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._ports['proxy']}"

    def start(self) -> None:
        """Start it, and make its bucket."""
        for _try in range(TRIES):
            self._run()
            until = time.monotonic() + PATIENCE_S
            while time.monotonic() < until and all(one.poll() is None for one in self._processes):
                if self._has_made_bucket():
                    return
                time.sleep(0.1)
            # Another test of this machine took one of its ports meanwhile, or it is too slow.
            said = (self._folder / "log").read_text()[-2000:]
            self.close()
            shutil.rmtree(self._folder)
            self._ports = {name: free_port() for name in SERVERS}
        pytest.fail(f"Swift does not start: {said}")

    def _run(self) -> None:
        (self._folder / "devices" / "d1").mkdir(parents=True)
        (self._folder / "swift.conf").write_text(
            "[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n"
            "[storage-policy:0]\nname = Policy-0\ndefault = yes\n"
        )
        for name in SERVERS:
            pipeline = PROXY if name == "proxy" else f"{name}-server"
            values = {"name": name, "port": self._ports[name], "folder": self._folder}
            text = COMMON.format(**values, pipeline=pipeline, user="root")
            if os.geteuid() != 0:
                text = text.replace("user = root\n", "")
            (self._folder / f"{name}.conf").write_text(text + FILTERS * (name == "proxy"))
            if name != "proxy":
                self._make_ring(name)
        log = (self._folder / "log").open("ab")
        with log:
            for name in SERVERS:
                command = [PYTHON, "-c", STARTED, str(self._folder), name]
                self._processes.append(subprocess.Popen(command, stdout=log, stderr=log))

    def _make_ring(self, name: str) -> None:
        builder = str(self._folder / f"{name}.builder")
        device = f"r1z1-127.0.0.1:{self._ports[name]}/d1"
        for step in (["create", "4", "1", "1"], ["add", device, "1"], ["rebalance"]):
            subprocess.run([RINGS, builder, *step], check=True, stdout=subprocess.DEVNULL)

    def _has_made_bucket(self) -> bool:
        """Make a bucket by a signed request: the client has none for it."""
        host, path = f"127.0.0.1:{self._ports['proxy']}", f"/{BUCKET}"
        now = datetime.now(UTC)
        moment, empty = now.strftime("%Y%m%dT%H%M%SZ"), hashlib.sha256(b"").hexdigest()
        headers = {"host": host, "x-amz-content-sha256": empty, "x-amz-date": moment}
        names = ";".join(headers)
        lines = [f"{name}:{value}" for name, value in headers.items()]
        request = "\n".join(["PUT", path, "", *lines, "", names, empty])
        scope = f"{moment[:8]}/us-east-1/s3/aws4_request"
        signed = "\n".join(
            ["AWS4-HMAC-SHA256", moment, scope, hashlib.sha256(request.encode()).hexdigest()]
        )
        key = f"AWS4{SECRET_KEY}".encode()
        for part in (*scope.split("/"), signed):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        headers["authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, SignedHeaders={names}, "
            f"Signature={key.hex()}"
        )
        asked = urllib.request.Request(  # noqa: S310 - loopback
            f"{self.endpoint}{path}", b"", method="PUT", headers=headers
        )
        try:
            with urllib.request.urlopen(asked, timeout=5) as answer:  # noqa: S310 - loopback
                return bool(answer.status == 200)
        except urllib.error.HTTPError as error:
            return error.code == 409  # It is there.
        except OSError:
            return False

    def place(self) -> S3Place:
        """An empty place: a prefix of its own."""
        return S3Place(
            bucket=BUCKET,
            prefix=f"tests/{uuid4().hex}",
            endpoint=self.endpoint,
            access_key=ACCESS_KEY,
            secret_key=SECRET_KEY,
        )

    def close(self) -> None:
        """End it; nothing of it is kept."""
        for one in self._processes:
            one.kill()
        for one in self._processes:
            one.wait()
        self._processes.clear()
