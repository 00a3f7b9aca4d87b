"""`liuying vendor`: one line for everything, keys only where they are asked for."""

from __future__ import annotations

import json
from pathlib import Path

import jwt
import pytest
from typer.testing import CliRunner, Result

from liuying.cli.app import app


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("LIUYING_SITE_URL", "https://site.example")
    CliRunner().invoke(app, ["migrate"])
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["vendor", *arguments])


def add(vendor_id: str = "acme", origin: str = "https://acme.example", *more: str) -> Result:
    return run("add", vendor_id, "--name", "艾克米", "--origin", origin, *more)


def test_the_whole_life_of_a_partner(installation: Path) -> None:
    assert run("list").output.startswith("还没有合作方")
    assert (
        add("acme", "https://ACME.example:443", "--promo-url", "https://acme.example/p").exit_code
        == 0
    )
    assert "acme\t艾克米\thttps://acme.example\t启用" in run("list").output
    key = run("show-key", "acme").output.strip()
    listed = run("list", "--json").output
    assert json.loads(listed)[0]["perks"]["promo_url"] == "https://acme.example/p"
    assert key not in listed
    signed = run("sign", "acme", "--user", "u7", "--cid", "c")
    code = signed.stdout.strip()
    assert jwt.decode(code, options={"verify_signature": False})["sub"] == "u7"
    assert f"https://site.example/vendor?code={code}" in signed.stderr
    edited = run("edit", "acme", "--origin", "https://www.acme.example", "--promo-url", "")
    assert edited.output.startswith("已修改 acme（https://www.acme.example）")
    assert run("edit", "acme", "--name", "艾克米影视", "--ad", "https://a.example").exit_code == 0
    [known] = json.loads(run("list", "--json").output)
    assert (known["name"], known["origin"]) == ("艾克米影视", "https://www.acme.example")
    assert (known["perks"]["promo_url"], known["perks"]["ad"]) == ("", "https://a.example")
    assert run("show-key", "acme").output.strip() == key
    assert run("edit", "acme").exit_code == 2
    assert run("rotate-key", "acme", "--yes").output.strip() != key
    assert run("remove", "acme", "--yes").exit_code == 0
    assert run("show-key", "acme").exit_code == 1


def test_an_address_to_try_is_the_sites_own(
    installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add()
    CliRunner().invoke(app, ["site", "set", "--url", "https://own.example"])
    assert "打开：https://own.example/vendor?code=" in run("sign", "acme").stderr
    CliRunner().invoke(app, ["site", "reset", "url"])
    monkeypatch.delenv("LIUYING_SITE_URL")
    said = run("sign", "acme").stderr
    assert "打开：/vendor?code=" in said
    assert "liuying site set --url" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "Acme", "--name", "名", "--origin", "https://a.example"),
        ("add", "acme", "--name", "", "--origin", "https://a.example"),
        ("add", "acme", "--name", "名\x1b[31m", "--origin", "https://a.example"),
        ("add", "acme", "--name", "名", "--origin", "http://a.example"),
        ("add", "acme", "--name", "名", "--origin", "*"),
        (
            "add",
            "acme",
            "--name",
            "名",
            "--origin",
            "https://a.example",
            "--ad",
            "javascript:alert(1)",
        ),
        (
            "add",
            "acme",
            "--name",
            "名",
            "--origin",
            "https://a.example",
            "--ws-url",
            "https://a.example",
        ),
        ("show-key", "nobody\x1b[31m"),
        ("edit", "nobody", "--name", "名"),
        ("rotate-key", "nobody", "--yes"),
        ("remove", "nobody", "--yes"),
        ("sign", "nobody"),
    ],
)
def test_bad_values_get_one_line(installation: Path, arguments: tuple[str, ...]) -> None:
    refused = run(*arguments)
    assert refused.exit_code == 1
    assert refused.stdout == ""
    assert len(refused.stderr.splitlines()) == 1
    assert refused.stderr.strip().isprintable()


def test_what_ends_a_key_asks_first(installation: Path) -> None:
    add()
    key = run("show-key", "acme").stdout
    assert [run(command, "acme").exit_code for command in ("remove", "rotate-key")] == [2, 2]
    assert run("show-key", "acme").stdout == key


def test_an_id_is_taken_once(installation: Path) -> None:
    assert (add().exit_code, add().exit_code) == (0, 1)


def test_secrets_that_others_may_read_stop_production(
    installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert add().exit_code == 0
    (installation / "secrets.json").chmod(0o644)
    assert run("list").exit_code == 0
    monkeypatch.setenv("LIUYING_PRODUCTION", "true")
    refused = run("list")
    assert (refused.exit_code, len(refused.stderr.splitlines())) == (2, 1)
    assert "chmod 600" in refused.stderr


@pytest.mark.parametrize("command", ["add", "list", "show-key", "rotate-key", "remove", "sign"])
def test_help_is_chinese_with_an_example(command: str) -> None:
    assert "例：liuying vendor" in run(command, "--help").output
