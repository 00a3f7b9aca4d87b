"""The files for containers say what exists: settings, commands, volumes, services."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # its types are a package of their own

from liuying.cli.command_table import COMMANDS
from liuying.installation.settings import REPOSITORY, read_settings
from liuying.kit.client_network import ProxyTrust

FOLDER = REPOSITORY / "deploy" / "compose"
GIVEN = {
    "DOMAIN": "video.example.com",
    "EMAIL": "you@example.com",
    "STORE": "s3://bucket",
    "S3_ENDPOINT": "https://s3.example.com",
}
ASKED = re.compile(r"\$\{(?P<name>[A-Z0-9_]+)(?::?(?P<kind>[-?])(?P<text>[^}]*))?\}")


def filled(text: str) -> str:
    """With the variables of `.env`; one that has no default and is not given is a fault."""

    def value(found: re.Match[str]) -> str:
        default = found["text"] if found["kind"] == "-" else None
        said = GIVEN.get(found["name"], default)
        assert said is not None, found[0]
        return said

    return ASKED.sub(value, text)


def document(name: str) -> dict[str, Any]:
    content = yaml.safe_load(filled((FOLDER / name).read_text(encoding="utf-8")))
    assert isinstance(content, dict)
    return content


@pytest.fixture(scope="module")
def one() -> dict[str, Any]:
    return document("compose.yaml")


@pytest.fixture(scope="module")
def many(one: dict[str, Any]) -> dict[str, Any]:
    """Both files, laid over one another as Compose does it."""
    over = document("many.yaml")
    services = {name: dict(about) for name, about in one["services"].items()}
    for name, about in over["services"].items():
        below = services.setdefault(name, {})
        for key, value in about.items():
            match key:
                case "environment":
                    below[key] = below.get(key, {}) | value
                case "volumes":
                    below[key] = [*below.get(key, []), *value]
                case _:
                    below[key] = value
    return one | {"services": services, "volumes": one["volumes"] | over["volumes"]}


def ours(document: dict[str, Any]) -> dict[str, Any]:
    found = {
        name: about
        for name, about in document["services"].items()
        if about["image"].startswith("localhost/liuying:")
    }
    assert found
    return found


@pytest.fixture(params=["one", "many"])
def composed(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.getfixturevalue(request.param)
    return found


def test_services_name_what_is_declared(composed: dict[str, Any]) -> None:
    for name, about in composed["services"].items():
        for volume in about.get("volumes", []):
            source = volume.partition(":")[0]
            assert source.startswith("./") or source in composed["volumes"], (name, volume)
        assert set(about.get("depends_on", {})) <= set(composed["services"])
        assert set(about.get("networks", [])) <= set(composed["networks"])


def test_settings_are_known(composed: dict[str, Any], tmp_path: Path) -> None:
    for name, about in ours(composed).items():
        environment = dict(about["environment"])
        for variable in [one for one in environment if one.endswith("_FILE")]:
            secret = tmp_path / variable
            secret.write_text("postgresql+psycopg://a:b@c/d", encoding="utf-8")
            environment[variable] = str(secret)
        assert all(isinstance(value, str) for value in environment.values()), name
        read_settings(environment)


def test_commands_exist(composed: dict[str, Any]) -> None:
    for about in ours(composed).values():
        assert shlex.split(about["command"])[0] in COMMANDS


def test_ours_may_do_little(composed: dict[str, Any]) -> None:
    for name, about in ours(composed).items():
        if name != "migration":
            assert about["read_only"] is True
            assert about["cap_drop"] == ["ALL"]
            assert about["security_opt"] == ["no-new-privileges:true"]


def test_nginx_is_a_trusted_proxy(one: dict[str, Any]) -> None:
    network = one["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    trusted = one["services"]["site"]["environment"]["LIUYING_TRUSTED_PROXIES"]
    assert network == trusted
    ProxyTrust([network], "x-forwarded-for")
    assert one["services"]["nginx"]["networks"] == one["services"]["site"]["networks"] == ["inside"]


def test_only_nginx_is_reached_from_outside(composed: dict[str, Any]) -> None:
    assert [n for n, about in composed["services"].items() if "ports" in about] == ["nginx"]
