"""The wheels: whole, the same twice, and enough without a checkout."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest

from liuying.installation.settings import REPOSITORY, WEB_DIR

VERSION = "0.1.0"
MAIN = f"liuying-{VERSION}-py3-none-any.whl"
BILL = f"liuying-{VERSION}.cdx.json"
DEMO = f"liuying_demo-{VERSION}-py3-none-any.whl"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheels"))


def built(target: Path) -> Path:
    tool = REPOSITORY / "tools" / "wheel"
    subprocess.run([sys.executable, str(tool), str(target)], check=True, capture_output=True)
    return target


def test_made_twice_they_are_the_same_bytes(wheels: Path, tmp_path: Path) -> None:
    again = built(tmp_path)
    names = sorted(path.name for path in wheels.iterdir())
    assert names == sorted(path.name for path in again.iterdir())
    assert [digest(wheels / name) for name in names] == [digest(again / name) for name in names]
    assert {
        MAIN,
        DEMO,
        BILL,
        f"liuying-{VERSION}.lock.txt",
        f"liuying_demo-{VERSION}.lock.txt",
    } == (set(names))


def test_the_bill_of_materials_names_all_that_is_carried_and_taken(wheels: Path) -> None:
    bill = json.loads((wheels / BILL).read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])
    assert bill["metadata"]["component"]["version"] == VERSION
    components = {one["purl"]: one for one in bill["components"]}
    assert len(components) == len(bill["components"])
    for one in components.values():
        assert one["type"] == "library"
        assert one["name"]
        assert one["version"]
        (licence,) = one["licenses"]
        assert licence.get("expression") or licence["license"]["name"]
    lock = (wheels / f"liuying-{VERSION}.lock.txt").read_text()
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?!.*win32)", lock, re.MULTILINE)
    assert pinned
    assert {f"pkg:pypi/{name.lower()}@{version}" for name, version in pinned} <= set(components)
    web = json.loads((REPOSITORY / "web" / "package.json").read_text())["dependencies"]
    carried = {one["name"] for purl, one in components.items() if purl.startswith("pkg:npm/")}
    assert set(web) <= carried
    assert all(
        re.fullmatch("[0-9a-f]{128}", one["hashes"][0]["content"])
        for purl, one in components.items()
        if purl.startswith("pkg:npm/")
    )


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_what_an_installation_runs_is_inside_and_no_more(wheels: Path) -> None:
    names = zipfile.ZipFile(wheels / MAIN).namelist()
    built_files = {
        f"liuying/web/{path.relative_to(WEB_DIR).as_posix()}"
        for path in WEB_DIR.rglob("*")
        if path.is_file()
    }
    assert "liuying/web/index.html" in built_files
    assert built_files <= set(names)
    assert any(name.startswith("liuying/migrations/versions/0001") for name in names)
    assert "liuying/installation/templates/nginx-site.conf" in names
    assert any(name.endswith("/LICENSE") for name in names)
    assert any(name.endswith("/THIRD_PARTY_NOTICES") for name in names)
    assert not [name for name in names if re.search("demo|seeding|__pycache__|tests/", name)]


def test_locks_hold_hashes_and_no_address(wheels: Path) -> None:
    lock = (wheels / f"liuying-{VERSION}.lock.txt").read_text(encoding="utf-8")
    assert "--hash=sha256:" in lock
    assert "://" not in lock


def test_it_serves_without_a_checkout(wheels: Path, tmp_path: Path) -> None:
    site, folder = tmp_path / "site", tmp_path / "empty"
    folder.mkdir()
    for name in (MAIN, DEMO):
        zipfile.ZipFile(wheels / name).extractall(site)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("LIUYING_")
    } | {"PYTHONPATH": str(site), "PORT": "0"}
    server = subprocess.Popen(
        [sys.executable, "-m", "liuying", "serve", "--workers", "0"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())
        assert address is not None
        with httpx.Client(base_url=address[0], timeout=30) as client:
            assert '<div id="root">' in client.get("/home").text
            assert client.get("/service-worker.js").status_code == 200
            assert client.get("/api/config").json()["code"] == 200
    finally:
        server.terminate()
        server.communicate(timeout=30)
    assert (folder / "var" / "liuying.db").is_file()
    assert not list(site.rglob("var"))
    shutil.rmtree(site)
