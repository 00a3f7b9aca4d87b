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


def build(target: Path, key: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `tools/wheel`, signing with a private key if one is given."""
    environment = {name: value for name, value in os.environ.items() if name != "RELEASE_KEY"}
    if key is not None:
        environment["RELEASE_KEY"] = str(key)
    command = [sys.executable, str(REPOSITORY / "tools" / "wheel"), str(target)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def built(target: Path, key: Path | None = None) -> Path:
    done = build(target, key)
    assert done.returncode == 0, done.stderr
    return target


def verify(site: Path, *options: str) -> tuple[int, list[str]]:
    """What `liuying verify` ends with and says of wheels that were unpacked."""
    done = subprocess.run(
        [sys.executable, "-m", "liuying", "verify", *options],
        capture_output=True,
        text=True,
        cwd=site,
        env=os.environ | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


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


def test_a_build_without_a_key_says_that_it_is_unsigned(tmp_path: Path) -> None:
    done = build(tmp_path)
    assert (done.returncode, done.stderr.splitlines()) == (
        0,
        ["unsigned build: RELEASE_KEY names no private key"],
    )


def test_a_key_that_cannot_sign_ends_the_build_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "text.pem").write_text("text")
    for name in ("missing.pem", "text.pem"):
        done = build(tmp_path / "wheels", tmp_path / name)
        assert done.returncode == 2
        [line] = done.stderr.splitlines()
        assert name in line
        assert not list((tmp_path / "wheels").iterdir())


def test_verify_says_that_a_build_is_unsigned_and_what_it_sees(
    wheels: Path, tmp_path: Path
) -> None:
    zipfile.ZipFile(wheels / MAIN).extractall(tmp_path)
    code, said = verify(tmp_path)
    assert (code, said[-1]) == (0, "没有发现改动，但没有签名可以对照")
    assert said[0].startswith("没有签名的构建：")
    (tmp_path / "liuying" / "web" / "evil.js").write_text("evil()")
    with (tmp_path / "liuying" / "kit" / "clock.py").open("a") as file:
        file.write("# touched\n")
    code, said = verify(tmp_path, "--json")
    found = {(one["path"], one["kind"]) for one in json.loads("\n".join(said))}
    assert (code, found) == (
        1,
        {
            (str(tmp_path / "liuying" / "web" / "evil.js"), "added"),
            (str(tmp_path / "liuying" / "kit" / "clock.py"), "changed"),
        },
    )


def test_verify_names_who_signed(tmp_path: Path) -> None:
    key, site = tmp_path / "key.pem", tmp_path / "site"
    tool = [sys.executable, str(REPOSITORY / "tools" / "manifest"), "--new-key", str(key)]
    public = subprocess.run(tool, capture_output=True, text=True, check=True).stdout.strip()
    zipfile.ZipFile(built(tmp_path / "wheels", key) / MAIN).extractall(site)
    code, said = verify(site)
    assert (code, said[-1]) == (0, "没有改动")
    assert said[0].startswith(f"版本 {VERSION}，")
    assert said[0].endswith(f"签名 {public}")
    (site / "liuying" / "release.json").unlink()
    code, said = verify(site)
    assert code == 1
    assert f"✕ {site / 'liuying' / 'release.json'} 不见了" in said
