"""`liuying deploy`: what is written, and what is refused."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from liuying.cli.serving import DESCRIPTORS_A_CONNECTION, MAX_CONNECTIONS
from liuying.installation.nginx_files import Site
from liuying.installation.nginx_site import HTTP2_DIRECTIVE, nginx_site
from liuying.installation.settings import Settings
from tests.command_line import Run, run

__all__ = ["run"]
DOMAIN = "video.example.com"
# Descriptors that a server needs beside its connections, generously: database, log, listeners.
RESERVE = 256


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOST", "PORT"):
        monkeypatch.delenv(name, raising=False)


def test_a_unit_holds_the_settings_and_no_secret(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LIUYING_DATABASE_URL", "postgresql+psycopg://u:hidden@db/liuying")
    monkeypatch.setenv("LIUYING_WEBHOOK_URL", "https://ops.example/hook?a=50%25")
    monkeypatch.setenv("LIUYING_WEBHOOK_SECRET", "hidden-hidden-hidden")
    monkeypatch.setenv("LIUYING_HSTS_SECONDS", "31536000")
    done = run(
        Path("/srv/liuying"),
        "deploy",
        "systemd",
        "--domain",
        DOMAIN,
        "--program",
        "/opt/l/bin/liuying",
    )
    assert done.exit_code == 0, done.output
    assert "hidden" not in done.output
    assert "LIUYING_DATABASE_URL、LIUYING_WEBHOOK_SECRET" in done.stderr
    assert "…_FILE" in done.stderr
    lines = done.stdout.splitlines()
    for expected in (
        'Environment="HOST=127.0.0.1"',
        'Environment="PORT=8000"',
        'Environment="LIUYING_DATA_DIR=/srv/liuying"',
        'Environment="LIUYING_TRUSTED_PROXIES=127.0.0.1"',
        'Environment="LIUYING_ACCEL_PREFIX=/protected"',
        'Environment="LIUYING_PRODUCTION=true"',
        f'Environment="LIUYING_SITE_URL=https://{DOMAIN}"',
        'Environment="LIUYING_HSTS_SECONDS=31536000"',
        'Environment="LIUYING_WEBHOOK_URL=https://ops.example/hook?a=50%%25"',
        "User=liuying",
        "ReadWritePaths=/srv/liuying",
        "ExecStart=/opt/l/bin/liuying serve",
        "ProtectHome=yes",
    ):
        assert expected in lines
    assert not re.search("@[A-Z_]+@", done.stdout)
    worker = run(
        Path("/home/me/var"), "deploy", "systemd", "--worker", "--program", "/opt/l/liuying"
    )
    assert "ExecStart=/opt/l/liuying worker" in worker.stdout
    assert "ProtectHome=read-only" in worker.stdout


def test_a_unit_has_descriptors_for_all_connections(run: Run, tmp_path: Path) -> None:
    unit = run(tmp_path, "deploy", "systemd", "--program", "/opt/l/liuying").stdout
    found = re.search(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)
    assert found is not None
    assert int(found[1]) >= DESCRIPTORS_A_CONNECTION * MAX_CONNECTIONS + RESERVE


def test_systemd_takes_the_unit(run: Run, tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not installed")
    program = tmp_path / "liuying"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "liuying-test.service"
    arguments = ("--user", "root", "--program", program, "--output", unit)
    assert run(tmp_path, "deploy", "systemd", *arguments).exit_code == 0
    done = subprocess.run(
        [verify, "verify", str(unit)], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if "liuying-test" in line]
    assert (done.returncode, said) == (0, [])


def test_a_site_without_a_certificate_says_how_to_get_one(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "liuying.conf"
    done = run(tmp_path, "deploy", "nginx", "--domain", DOMAIN, "--output", target)
    assert (done.exit_code, done.stdout) == (0, f"已写入 {target}\n")
    assert f"certbot certonly --webroot -w /var/www/liuying -d {DOMAIN}" in done.stderr
    text = target.read_text()
    assert "ssl" not in text
    assert f"server_name {DOMAIN};" in text
    assert f"set $data {tmp_path};" in text
    again = run(tmp_path, "deploy", "nginx", "--domain", DOMAIN, "--output", target)
    assert (again.exit_code, again.stdout) == (2, "")
    assert run(tmp_path, "deploy", "nginx", "--output", target, "--yes").exit_code == 0
    told = json.loads(run(tmp_path, "deploy", "nginx", "--json").stdout)
    assert told["text"] == target.read_text()


def test_http2_is_said_as_the_version_reads_it() -> None:
    site = Site(domain=DOMAIN, certificate=Path("/c.pem"), key=Path("/k.pem"))
    settings = Settings(data_dir=Path("/srv"), hsts_seconds=300, host="::", port=9000)
    for version, line, other in (
        ((), "listen 443 ssl http2;", "http2 on;"),
        ((1, 22, 1), "listen 443 ssl http2;", "http2 on;"),
        (HTTP2_DIRECTIVE, "http2 on;", "ssl http2;"),
    ):
        text = nginx_site(settings, site, version)
        assert line in text
        assert other not in text
        assert 'set $hsts "max-age=300";' in text
        assert "server 127.0.0.1:9000;" in text
        assert f"return 301 https://{DOMAIN}$request_uri;" in text


def test_several_processes_stand_behind_one_nginx(run: Run, tmp_path: Path) -> None:
    places = ("10.0.0.2:8000", "[2001:db8::2]:8000")
    given = [part for place in places for part in ("--application", place)]
    written = run(tmp_path, "deploy", "nginx", *given).stdout
    upstream = written[written.index("upstream liuying {") :].partition("}")[0]
    assert [line.split()[1] for line in upstream.splitlines() if "server" in line] == list(places)


def test_the_consoles_server_says_what_is_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LIUYING_CONSOLE_PORT", "9100")
    monkeypatch.setenv("LIUYING_CONSOLE_ORIGIN", "https://console.example.com")
    done = run(tmp_path, "deploy", "nginx")
    assert "certbot certonly --webroot -w /var/www/liuying -d console.example.com" in done.stderr
    assert ("server_name console.example.com;" in done.stdout, "9100" in done.stdout) == (
        True,
        False,
    )
    for name in ("c.pem", "k.pem"):
        (tmp_path / name).touch()
    given = ("--console-certificate", tmp_path / "c.pem", "--console-key", tmp_path / "k.pem")
    done = run(tmp_path, "deploy", "nginx", *given)
    assert "--console-allow" in done.stderr
    assert "server 127.0.0.1:9100;" in done.stdout
    assert "allow 127.0.0.1/32;\n    allow ::1/128;\n    deny all;" in done.stdout
    done = run(tmp_path, "deploy", "nginx", *given, "--console-allow", "10.8.0.1/24")
    assert (done.stderr, "allow 10.8.0.0/24;\n    deny all;" in done.stdout) == ("", True)
    refused = run(tmp_path, "deploy", "nginx", *given, "--console-allow", "all; evil")
    assert (refused.exit_code, "网段的写法不对" in refused.stderr) == (2, True)
    same = run(tmp_path, "deploy", "nginx", *given, "--domain", "console.example.com")
    assert (same.exit_code, "自己的域名" in same.stderr) == (2, True)


@pytest.mark.parametrize(
    ("folder", "arguments", "sentence"),
    [
        ("/srv", ("nginx", "--domain", "a b"), "域名的写法不对"),
        ("/srv", ("nginx", "--domain", "x;include /etc"), "域名的写法不对"),
        ("/srv", ("nginx", "--domain", "EXAMPLE"), "域名的写法不对"),
        ("/srv/a b", ("nginx",), "路径里只能有"),
        ("/srv/a;b", ("nginx",), "路径里只能有"),
        ("/srv/a$b", ("nginx",), "路径里只能有"),
        ("/srv/海", ("systemd", "--program", "/l"), "路径里只能有"),
        ("/srv", ("systemd", "--user", "a b", "--program", "/l"), "用户名的写法不对"),
        ("/srv", ("nginx", "--application", "10.0.0.2"), "网站进程的地址写法不对"),
        ("/srv", ("nginx", "--application", "a:1; include /etc:1"), "网站进程的地址写法不对"),
        ("/srv", ("nginx", "--certificate", "/nowhere"), "要一起给"),
        ("/srv", ("nginx", "--certificate", "/no", "--key", "/no"), "找不到 /no"),
    ],
)
def test_what_cannot_stand_in_a_configuration(
    run: Run, folder: str, arguments: tuple[str, ...], sentence: str
) -> None:
    done = run(Path(folder), "deploy", *arguments)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert sentence in done.stderr
