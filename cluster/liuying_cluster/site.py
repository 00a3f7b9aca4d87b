"""The site's own processes: those that serve, those that import, and nginx in front."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from liuying.installation.environment import read_settings
from liuying.installation.nginx_files import Site
from liuying.installation.nginx_site import nginx_site, nginx_whole
from liuying.kit.secrets import create_secrets
from liuying_cluster.certificates import Certificates
from liuying_cluster.database import DATABASE, USER, Postgres
from liuying_cluster.haproxy import Haproxy
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, answers, wait_until
from liuying_cluster.store import BUCKET, Store

SHIFTED = Path(__file__).with_name("shifted")
LIUYING = str(Path(sys.executable).with_name("liuying"))


class CommandError(Exception):
    """A command of `liuying` failed. The message is what it said."""


class Machine:
    """One machine of the site: a process that serves or imports, with HAProxy beside it and a data
    folder of its own.

    Args:
        name: Names its folder and logs.
        command: What `liuying` does there.
        folder: Contains its folder.
        settings: Those that all machines have in common.
        haproxy: Leads to the database.
        port: Where it serves; 0 for a worker.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        folder: Path,
        settings: Mapping[str, str],
        haproxy: Haproxy,
        port: int = 0,
    ) -> None:
        self.port = port
        self.haproxy = haproxy
        data = folder / name
        data.mkdir()
        self.environment = {
            **settings,
            "LIUYING_DATA_DIR": str(data),
            "HOST": "127.0.0.1",
            "PORT": str(port),
        }
        self.part = Part(name, [LIUYING, *command], folder, self.environment)

    def start(self) -> None:
        """Start it; a serving one is waited for."""
        self.part.start()
        if self.port:
            self.wait_until_ready()

    def change_clock(self, seconds: int) -> None:
        """Let its clock go ahead from its next start on."""
        self.part.environment |= {"PYTHONPATH": str(SHIFTED), "CLOCK_AHEAD_S": str(seconds)}

    def run_version(self, folder: Path) -> None:
        """Let it run another version of the program from its next start on, and its commands from
        now on.

        Args:
            folder: Contains the package `liuying`.
        """
        for environment in (self.environment, self.part.environment):
            before = environment.get("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), before]))

    def wait_until_ready(self) -> None:
        """Wait until it answers.

        Raises:
            TimeoutError: It ended, or never does.
        """
        wait_until(self._is_alive, f"{self.part.name} 没有就绪", [self.part])

    def _is_alive(self) -> bool:
        # It listens before it is ready to answer.
        with suppress(OSError):
            address = f"http://127.0.0.1:{self.port}/healthz"
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bool(answer.status == 200)
        return False

    def run(self, *arguments: str) -> str:
        """Run a command of `liuying` on this machine; its output.

        Raises:
            CommandError: It failed.
        """
        done = subprocess.run(
            [LIUYING, *arguments],
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise CommandError(f"liuying {' '.join(arguments)}: {done.stderr or done.stdout}")
        return done.stdout


def common_settings(folder: Path, secrets: Path, store: Store, authority: Path) -> dict[str, str]:
    """The settings of all machines but the database's address; secrets and keys are in files, and
    the secrets are made here.

    Args:
        authority: Whose certificate the store has.
    """
    create_secrets(secrets)
    files = {
        "LIUYING_S3_ACCESS_KEY_FILE": (folder / "s3-access", store.access_key),
        "LIUYING_S3_SECRET_KEY_FILE": (folder / "s3-secret", store.secret_key),
    }
    for path, content in files.values():
        path.touch(mode=0o600)
        path.write_text(content)
    return {
        "LIUYING_SECRETS_FILE": str(secrets),
        "LIUYING_STORE": f"s3://{BUCKET}",
        "LIUYING_S3_ENDPOINT": store.endpoint,
        # For the client of the store; nothing that the site asks by TLS has another authority here.
        "SSL_CERT_FILE": str(authority),
        "LIUYING_AUTO_MIGRATE": "false",
        "LIUYING_DRAIN_SECONDS": "2",
        "LIUYING_TRUSTED_PROXIES": "127.0.0.1",
        "LIUYING_PRODUCTION": "true",
        "LIUYING_WORKERS": "0",
        **{name: str(path) for name, (path, _) in files.items()},
    }


def database_address(
    folder: Path, name: str, certificates: Certificates, postgres: Postgres, haproxy: Haproxy
) -> dict[str, str]:
    """The setting that leads a machine to the database, through its own HAProxy."""
    path = folder / f"{name}-database"
    path.touch(mode=0o600)
    path.write_text(
        f"postgresql+psycopg://{USER}:{postgres.passwords[USER]}@127.0.0.1:{haproxy.port}/{DATABASE}"
        f"?sslmode=verify-full&sslrootcert={certificates.authority}"
    )
    return {"LIUYING_DATABASE_URL_FILE": str(path)}


class Nginx:
    """nginx as `liuying deploy nginx` configures it, without TLS on loopback.

    Args:
        name: Names its folder and log.
        folder: Contains them.
        machines: Those that serve.
    """

    def __init__(self, name: str, folder: Path, machines: Sequence[Machine]) -> None:
        self.port = free_port()
        own = folder / name
        (own / "cache").mkdir(parents=True)
        site = Site(
            address="127.0.0.1",
            port=self.port,
            log=own / "access.log",
            errors=own / "error.log",
            cache=own / "cache",
            cache_size="800m",
            applications=tuple(f"127.0.0.1:{one.port}" for one in machines),
        )
        settings = read_settings(machines[0].environment)
        text = nginx_whole(nginx_site(settings, site, ()), own / "nginx.pid")
        scratch = "".join(
            f"    {kind}_temp_path {own}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;\n" if os.geteuid() == 0 else ""
        config = own / "nginx.conf"
        config.write_text(user + text.replace("http {\n", f"http {{\n{scratch}", 1))
        places = ["-p", str(own), "-c", str(config), "-e", str(own / "first.log")]
        self.part = Part(name, ["nginx", *places, "-g", "daemon off;"], folder)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self.part.start()
        wait_until(lambda: answers(self.port), "nginx 没有就绪")
