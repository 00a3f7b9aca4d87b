"""The configurations of the database side are taken by the programs that read them."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from liuying_cluster.certificates import make_certificates

from liuying.installation.database_files import (
    ARCHIVE_COMMAND,
    PASSWORDS,
    Postgres,
    etcd_environment,
    haproxy_configuration,
    patroni_configuration,
    patroni_unit,
)
from liuying.installation.database_members import Member, tls_files
from liuying.installation.settings import REPOSITORY
from tests.deploy.certificates import certificate_of
from tests.deploy.documented import documented
from tests.deploy.served import PATIENCE_S, free_port, running
from tests.waiting import wait_until

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
HAPROXY, ETCD = (shutil.which(name, path=PATH) for name in ("haproxy", "etcd"))
# `tools/cluster-prerequisites` puts it there.
PATRONI = REPOSITORY / ".make" / "patroni"
PYTHON = shutil.which("python3", path="/usr/bin") or "python3"
PROGRAMS = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture
def members() -> tuple[Member, ...]:
    """Three machines: Patroni takes no address of loopback but these."""
    client_port = free_port()
    return tuple(
        Member(f"pg{number}", f"127.0.0.{number + 1}", client_port=client_port)
        for number in (1, 2, 3)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With certificates."""
    authority, certificate, key = tls_files(tmp_path)
    made, secret = certificate_of(tmp_path, "pg1")
    shutil.copy(made, authority)
    made.rename(certificate)
    secret.rename(key)
    return tmp_path


@pytest.fixture
def etcd(members: tuple[Member, ...]) -> Iterator[None]:
    """Somebody listens where etcd would: Patroni tries to connect."""
    with ExitStack() as open_sockets:
        for one in members:
            open_sockets.enter_context(socket.create_server((one.address, one.client_port)))
        yield


def validated(configuration: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """What Patroni says of a configuration."""
    return subprocess.run(
        [PYTHON, "-m", "patroni", "--validate-config", "--ignore-listen-port", str(configuration)],
        env={"PATH": PATH, "PYTHONPATH": str(PATRONI), **environment},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not PATRONI.is_dir(), reason="Patroni is not installed: make cluster")
@pytest.mark.skipif(not PROGRAMS.is_dir(), reason="PostgreSQL is not installed: apt install it")
@pytest.mark.usefixtures("etcd")
def test_patroni_takes_its_configuration_with_its_passwords_alone(
    members: tuple[Member, ...], folder: Path
) -> None:
    postgres = Postgres(
        members=members,
        etcd=members,
        networks=("10.0.0.0/24", "fd00::/64"),
        certificates=folder,
        data_dir=folder / "data",
        archive_command=ARCHIVE_COMMAND,
    )
    configuration = folder / "patroni.yml"
    configuration.write_text(patroni_configuration("pg1", postgres), encoding="utf-8")
    done = validated(configuration, dict.fromkeys(PASSWORDS, "a-password"))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    done = validated(configuration, {})
    assert (done.returncode, done.stderr) == (
        1,
        "restapi.authentication.password  is not defined.\n",
    )


@pytest.mark.skipif(HAPROXY is None, reason="haproxy is not installed: apt install it")
@pytest.mark.parametrize("user", ["haproxy", ""])
def test_haproxy_takes_its_configuration(
    members: tuple[Member, ...], folder: Path, user: str
) -> None:
    configuration = folder / "haproxy.cfg"
    text = haproxy_configuration(members, "127.0.0.1:5432", tls_files(folder)[0], user)
    configuration.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [str(HAPROXY), "-c", "-V", "-f", str(configuration)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


@pytest.mark.skipif(ETCD is None, reason="etcd is not installed: apt install etcd-server")
def test_etcd_knows_each_of_its_settings(members: tuple[Member, ...], folder: Path) -> None:
    text = etcd_environment("pg1", members, folder, folder / "data")
    names = re.findall(r"^ETCD_([A-Z_]+)=", text, re.MULTILINE)
    assert len(names) == len(set(names)) > 15
    said = subprocess.run([str(ETCD), "--help"], capture_output=True, text=True, check=False)
    options = set(re.findall(r"^\s+--([a-z0-9-]+)", said.stdout + said.stderr, re.MULTILINE))
    assert {name.lower().replace("_", "-") for name in names} <= options


def test_systemd_takes_the_unit_of_patroni(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not installed")
    program = tmp_path / "patroni"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "patroni-test.service"
    # PostgreSQL's user is not everywhere.
    text = patroni_unit(program, tmp_path / "patroni.yml").replace("postgres", "root")
    unit.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [verify, "verify", str(unit)], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if "patroni-test" in line]
    assert (done.returncode, said) == (0, [])


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_documented_certificates_are_what_each_part_asks_for(tmp_path: Path) -> None:
    recipe = documented("openssl req -x509 ")
    subprocess.run(["bash", "-euc", recipe], cwd=tmp_path, capture_output=True, check=True)  # noqa: S607
    for name, address in (("pg1", "10.0.0.11"), ("pg3", "10.0.0.13")):
        authority, certificate, key = tls_files(tmp_path / name)
        assert key.stat().st_mode & 0o77 == 0
        for asked in (
            ("-purpose", "sslserver", "-verify_ip", address),
            ("-purpose", "sslserver", "-verify_ip", "127.0.0.1"),
            ("-purpose", "sslserver", "-verify_hostname", name),
            ("-purpose", "sslclient"),
        ):
            command = ["openssl", "verify", "-x509_strict", "-CAfile", str(authority)]
            done = subprocess.run(
                [*command, *asked, str(certificate)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, (asked, done.stdout + done.stderr)


def test_documented_passwords_are_those_that_patroni_reads(tmp_path: Path) -> None:
    recipe = documented("for one in SUPERUSER ")
    subprocess.run(["bash", "-euc", recipe], cwd=tmp_path, check=True)  # noqa: S607
    lines = (tmp_path / "passwords.env").read_text().splitlines()
    found = dict(line.split("=") for line in lines)
    assert tuple(found) == PASSWORDS
    assert len(set(found.values())) == len(PASSWORDS)


class Machine:
    """What HAProxy sees of a machine: a Patroni that says whether it leads, and a PostgreSQL that
    says its machine's name.
    """

    def __init__(self, member: Member, folder: Path, stack: ExitStack) -> None:
        self.leads = False
        machine = self

        class Answers(BaseHTTPRequestHandler):
            def do_OPTIONS(self) -> None:
                self.send_response(200 if machine.leads and self.path == "/primary" else 503)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nothing."""

        class Greets(BaseRequestHandler):
            def handle(self) -> None:
                self.request.sendall(member.name.encode())

        _, certificate, key = tls_files(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        patroni = ThreadingHTTPServer((member.address, member.rest_port), Answers)
        patroni.socket = context.wrap_socket(patroni.socket, server_side=True)
        postgres = ThreadingTCPServer((member.address, member.port), Greets)
        for server in (patroni, postgres):
            stack.enter_context(server)
            Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}).start()
            stack.callback(server.shutdown)


def asked(port: int) -> str:
    """Who answers behind HAProxy; nothing where nobody does."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
            return connection.recv(64).decode()
    except OSError:
        return ""


@pytest.mark.skipif(HAPROXY is None, reason="haproxy is not installed: apt install it")
def test_haproxy_leads_to_whoever_leads_and_is_who_he_says(tmp_path: Path) -> None:
    make_certificates(tmp_path)  # They name pg1, pg2 and pg3.
    port, rest_port, front = free_port(), free_port(), free_port()
    members = tuple(
        Member(name, f"127.0.0.{number}", port=port, rest_port=rest_port)
        for number, name in enumerate(("pg1", "pg2", "stranger"), 2)
    )
    configuration = tmp_path / "haproxy.cfg"
    text = haproxy_configuration(members, f"127.0.0.1:{front}", tls_files(tmp_path)[0], "")
    configuration.write_text(text, encoding="utf-8")
    with ExitStack() as stack:
        first, second, stranger = (Machine(one, tmp_path, stack) for one in members)
        first.leads = stranger.leads = True
        command = [str(HAPROXY), "-db", "-f", str(configuration)]
        # Who was not looked at yet is believed at first.
        with running(command, lambda: [asked(front) for _ in range(6)] == ["pg1"] * 6):
            first.leads, second.leads = False, True
            wait_until(lambda: asked(front) == "pg2")
