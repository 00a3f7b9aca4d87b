"""The files for containers say what exists: settings, commands, volumes, services."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from ipaddress import ip_address, ip_network
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # its types are a package of their own

import liuying
from liuying.cli.command_table import COMMANDS
from liuying.installation.environment import read_settings
from liuying.installation.settings import REPOSITORY
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
    assert (
        one["services"]["nginx"]["networks"] == [*one["services"]["site"]["networks"]] == ["inside"]
    )


def test_the_site_keeps_the_address_that_nginx_looked_up_once(one: dict[str, Any]) -> None:
    network = ip_network(one["networks"]["inside"]["ipam"]["config"][0]["subnet"])
    given = ip_address(one["services"]["site"]["networks"]["inside"]["ipv4_address"])
    assert given in network
    # The first is the gateway's, and others are given out from there.
    assert given not in {network.network_address, network[1], network.broadcast_address}


def test_only_nginx_is_reached_from_outside(composed: dict[str, Any]) -> None:
    assert [n for n, about in composed["services"].items() if "ports" in about] == ["nginx"]


def tool(name: str) -> ModuleType:
    """A program of `tools/`, as a module."""
    loader = SourceFileLoader(f"tool_{name}", str(REPOSITORY / "tools" / name))
    module = module_from_spec(ModuleSpec(loader.name, loader, origin=loader.path))
    module.__file__ = loader.path
    loader.exec_module(module)
    return module


def compose() -> tuple[list[str], bool] | None:
    """The program that reads such files, and whether it is the older one; None without either."""
    if shutil.which("docker"):
        plugin = ["docker", "compose"]
        if not subprocess.run([*plugin, "version"], capture_output=True, check=False).returncode:
            return plugin, False
    return (["docker-compose"], True) if shutil.which("docker-compose") else None


@pytest.mark.parametrize("names", [("compose.yaml",), ("compose.yaml", "many.yaml")], ids=len)
def test_compose_itself_reads_them(
    names: tuple[str, ...], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if (found := compose()) is None:
        pytest.skip("neither docker compose nor docker-compose is installed")
    program, is_old = found
    for name in names:
        text = (FOLDER / name).read_text(encoding="utf-8")
        # Before version 2, projects had no names in their files.
        text = re.sub(r"(?m)^name: .*\n", "", text) if is_old else text
        (tmp_path / name).write_text(text, encoding="utf-8")
        program = [*program, "-f", name]
    done = subprocess.run(
        [*program, "--profile", "by-hand", "config"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **GIVEN},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    read = yaml.safe_load(done.stdout)["services"]
    expected = request.getfixturevalue("many" if len(names) > 1 else "one")["services"]
    assert set(read) == set(expected)
    for name, about in ours({"services": expected}).items():
        assert read[name]["environment"] == about["environment"], name


def test_paths_are_those_of_the_image(composed: dict[str, Any]) -> None:
    image, packages = tool("image"), tool("packages")
    for name, about in ours(composed).items():
        targets = [volume.split(":")[1] for volume in about["volumes"]]
        assert image.ENVIRONMENT["LIUYING_DATA_DIR"] in targets or name == "configuration"
        # Secrets are read from a folder that is mounted, under names that the operator is told.
        for variable, value in about["environment"].items():
            if variable.endswith("_FILE"):
                assert any(value.startswith(f"{target}/") for target in targets), variable
                told = (FOLDER / "many.yaml").read_text(encoding="utf-8").partition("\nx-")[0]
                assert Path(value).name in told, value
        if (check := about.get("healthcheck")) is not None:
            assert check["test"][1] == f"/{packages.HOME}/bin/python"
            assert f":{image.SITE_PORT}/healthz" in check["test"][3]
        assert about["image"].rpartition(":")[2] == liuying.__version__
    told = (FOLDER / "many.yaml").read_text(encoding="utf-8")
    assert f"user {image.USER_ID}" in told
