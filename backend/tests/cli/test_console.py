"""`liuying console`: a one-time address, sessions, and a console beside the site."""

from __future__ import annotations

import json
import os
import signal
import socket
import urllib.error
import urllib.request

import pytest

from liuying.installation.services import Services
from tests.command_line import Run, run
from tests.server_process import server
from tests.waiting import PATIENCE_S, wait_until

__all__ = ["run"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def asked(port: int, path: str, body: object = None) -> int:
    """The status of a call of the console's own page; 0 where nobody listens."""
    origin = f"http://localhost:{port}"
    headers = {"origin": origin, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(origin + path, data, headers)  # noqa: S310  # loopback
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310  # as above
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


@pytest.fixture
def port(services: Services, monkeypatch: pytest.MonkeyPatch) -> int:
    services.database.close()
    number = free_port()
    monkeypatch.setenv("LIUYING_CONSOLE_PORT", str(number))
    return number


def test_an_address_is_printed_once_and_sessions_are_ended(
    services: Services, port: int, run: Run
) -> None:
    said = run(services.data_dir, "console", "--name", "小王", "--role", "editor")
    assert said.stdout.startswith(f"http://localhost:{port}/enter#")
    assert f"没有控制台在 127.0.0.1:{port} 运行" in said.stderr
    assert len(said.stderr.splitlines()) == 1
    with socket.create_server(("127.0.0.1", port)):
        said = run(services.data_dir, "console", "--json")
    told = json.loads(said.stdout)
    assert (told["role"], told["minutes"], said.stderr) == ("owner", 5, "")
    assert run(services.data_dir, "console", "sessions").stdout.strip().endswith("（没有）")
    assert run(services.data_dir, "console", "end", "3").exit_code == 1


@pytest.mark.parametrize("arguments", [["--role", "boss"], ["--name", " "], ["--name", "名" * 25]])
def test_wrong_roles_and_names_are_refused(
    services: Services, port: int, run: Run, arguments: list[str]
) -> None:
    del port
    said = run(services.data_dir, "console", *arguments)
    assert (said.exit_code, said.stdout) == (1, "")
    assert len(said.stderr.splitlines()) == 1


def test_without_a_port_there_is_no_console(services: Services, run: Run) -> None:
    services.database.close()
    for arguments in (["console"], ["console", "serve"]):
        said = run(services.data_dir, *arguments)
        assert said.exit_code == 2
        assert "LIUYING_CONSOLE_PORT" in said.stderr


def test_it_is_served_beside_the_site_and_ends_with_it(
    services: Services, port: int, run: Run
) -> None:
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(services.data_dir),
        "LIUYING_WEB_DIR": str(services.settings.web_dir),
        "LIUYING_WORKERS": "0",
        "HOST": "127.0.0.1",
        "PORT": "0",
    }
    with server(environment) as (process, _):
        wait_until(lambda: asked(port, "/api/session") == 401)
        token = run(services.data_dir, "console").stdout.partition("#")[2].split()[0]
        assert asked(port, "/api/session/link", {"token": token}) == 200
        assert asked(port, "/api/session/link", {"token": token}) == 401
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) in {0, -signal.SIGTERM}
    assert asked(port, "/api/session") == 0


def test_it_ends_with_a_site_that_was_killed(services: Services, port: int) -> None:
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(services.data_dir),
        "LIUYING_WORKERS": "0",
        "HOST": "127.0.0.1",
        "PORT": "0",
    }
    with server(environment) as (process, _):
        wait_until(lambda: asked(port, "/api/session") == 401)
        process.kill()
        process.wait()
        wait_until(lambda: asked(port, "/api/session") == 0)


def test_a_taken_port_is_named(services: Services, port: int, run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        for arguments in (["serve"], ["console", "serve"]):
            said = run(services.data_dir, *arguments)
            assert said.exit_code == 1
            assert f"无法监听 127.0.0.1:{port}" in said.stderr
