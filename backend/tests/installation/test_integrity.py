"""Whether somebody touched the installed program: every way there is, and none where nobody did."""

from __future__ import annotations

import asyncio
import json
import os
import py_compile
import shutil
import subprocess
import sys
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from liuying.http import tamper_watch
from liuying.http.tamper_watch import EVENT, ApartExamination, TamperWatch, message_of
from liuying.installation.doctor import examine as examine_installation
from liuying.installation.integrity import examination, report
from liuying.installation.integrity.examination import (
    examine,
    examine_own,
    is_unsigned_build,
)
from liuying.installation.integrity.manifest import (
    MANIFEST_NAME,
    ManifestError,
    make_manifest,
    read_manifest,
    sign_manifest,
)
from liuying.installation.integrity.report import write_report
from liuying.installation.integrity.touched import PACKAGE, Kind, Touched
from liuying.installation.services import Services
from liuying.kit.clock import HOUR_MS
from tests.waiting import PATIENCE_S, wait_until

KEY = Ed25519PrivateKey.generate()
RELEASED_AT = 1_780_000_000
FILES = {
    "__init__.py": '__version__ = "1.2.3"\n',
    "page.py": "def page() -> str:\n    return 'page'\n",
    "migrations/0001_begin.py": "def upgrade() -> None: ...\n",
    "templates/nginx.conf": "server {}\n",
    "web/index.html": "<!doctype html><script src=/assets/app-1.js></script>",
    "web/assets/app-1.js": "start()",
    "web/service-worker.js": "self.addEventListener('fetch', () => {})",
    "web/assets/font-1.woff2": "wOF2",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def sign(package: Path, key: Ed25519PrivateKey = KEY, released_at: int = RELEASED_AT) -> None:
    manifest = make_manifest(package, "1.2.3", released_at)
    (package / MANIFEST_NAME).write_bytes(sign_manifest(manifest, key))


def record_line(root: Path, name: str) -> str:
    content = (root / name).read_bytes()
    digest = urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Our own package beside a third-party one that brings a program."""
    root = tmp_path / "site-packages"
    package = write(root / "liuying", FILES)
    py_compile.compile(str(package / "page.py"))
    sign(package)
    write(root, {"other/__init__.py": "", "other/bin/transcoder": "ELF"})
    information = write(root / "other-1.0.dist-info", {"METADATA": "Name: other\nVersion: 1.0\n"})
    lines = [record_line(root, name) for name in ("other/__init__.py", "other/bin/transcoder")]
    (information / "RECORD").write_text("".join(lines) + "other-1.0.dist-info/RECORD,,\n")
    return package


def found(package: Path) -> list[tuple[str, Kind]]:
    installed = list(distributions(path=[str(package.parent)]))
    touched = examine(package, installed=installed, is_thorough=True)
    return [(os.path.relpath(one.path, package.parent), one.kind) for one in touched]


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


def append_keeping_time(path: Path) -> None:
    before = path.stat()
    path.write_text("x" * before.st_size)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def link(path: Path) -> None:
    shutil.move(path, path.parents[3] / "elsewhere")
    path.symlink_to(path.parents[3] / "elsewhere")


def compile_something_else(package: Path) -> None:
    source = package / "page.py"
    before, text = source.stat(), source.read_text()
    source.write_text(text.replace("'page'", "'evil'"))
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    py_compile.compile(str(source))
    source.write_text(text)
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))


TAMPERED: dict[str, tuple[Callable[[Path], object], str, Kind]] = {
    "script appended": (
        lambda one: append(one / "web/assets/app-1.js", ";evil()"),
        "liuying/web/assets/app-1.js",
        Kind.CHANGED,
    ),
    "page": (
        lambda one: append(one / "web/index.html", "<script src=//evil></script>"),
        "liuying/web/index.html",
        Kind.CHANGED,
    ),
    "template": (
        lambda one: append(one / "templates/nginx.conf", "sub_filter"),
        "liuying/templates/nginx.conf",
        Kind.CHANGED,
    ),
    "Python file": (
        lambda one: append(one / "page.py", "import evil\n"),
        "liuying/page.py",
        Kind.CHANGED,
    ),
    "new file": (
        lambda one: (one / "web/assets/evil.js").write_text("evil()"),
        "liuying/web/assets/evil.js",
        Kind.ADDED,
    ),
    "new file that Python runs at each start": (
        lambda one: (one.parent / "evil.pth").write_text("import evil"),
        "evil.pth",
        Kind.ADDED,
    ),
    "link": (
        lambda one: link(one / "web/assets/app-1.js"),
        "liuying/web/assets/app-1.js",
        Kind.LINK,
    ),
    "time and size kept": (
        lambda one: append_keeping_time(one / "web/assets/app-1.js"),
        "liuying/web/assets/app-1.js",
        Kind.CHANGED,
    ),
    "service worker": (
        lambda one: append(one / "web/service-worker.js", "evil()"),
        "liuying/web/service-worker.js",
        Kind.CHANGED,
    ),
    "font": (
        lambda one: append(one / "web/assets/font-1.woff2", "x"),
        "liuying/web/assets/font-1.woff2",
        Kind.CHANGED,
    ),
    "migration": (
        lambda one: append(one / "migrations/0001_begin.py", "evil()\n"),
        "liuying/migrations/0001_begin.py",
        Kind.CHANGED,
    ),
    "file removed": (
        lambda one: (one / "migrations/0001_begin.py").unlink(),
        "liuying/migrations/0001_begin.py",
        Kind.MISSING,
    ),
    "transcoder": (
        lambda one: append(one.parent / "other/bin/transcoder", "x"),
        "other/bin/transcoder",
        Kind.CHANGED,
    ),
    "third-party package": (
        lambda one: append(one.parent / "other/__init__.py", "evil()\n"),
        "other/__init__.py",
        Kind.CHANGED,
    ),
    "compiled file": (
        compile_something_else,
        "liuying/__pycache__/page.cpython-311.pyc",
        Kind.COMPILED,
    ),
    "manifest": (
        lambda one: (one / MANIFEST_NAME).write_text(
            (one / MANIFEST_NAME).read_text().replace("1.2.3", "1.2.4")
        ),
        f"liuying/{MANIFEST_NAME}",
        Kind.MANIFEST,
    ),
}


def test_what_nobody_touched_has_no_findings(package: Path) -> None:
    assert found(package) == []


@pytest.mark.parametrize(("tamper", "path", "kind"), TAMPERED.values(), ids=list(TAMPERED))
def test_whatever_was_touched_is_told(
    package: Path, tamper: Callable[[Path], object], path: str, kind: Kind
) -> None:
    tamper(package)
    cached = f"cpython-{sys.version_info.major}{sys.version_info.minor}"
    assert found(package) == [(path.replace("cpython-311", cached), kind)]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"\x00", b'{"manifest":"","key":"","signature":""}']
)
def test_what_is_no_manifest_is_not_trusted(content: bytes) -> None:
    with pytest.raises(ManifestError):
        read_manifest(content)


def test_files_touched_while_it_runs_are_compared_in_the_same_process(package: Path) -> None:
    append(package / "page.py", "import evil\n")
    (package / "evil.py").write_text("")
    names = ("page.py", "evil.py", "__init__.py", "gone.py")
    touched = examine_own([*(str(package / name) for name in names), "/elsewhere"], package)
    assert [(Path(one.path).name, one.kind) for one in touched] == [
        ("page.py", Kind.CHANGED),
        ("evil.py", Kind.ADDED),
    ]


@pytest.fixture
def remembered(
    services: Services, package: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], list[Touched]]:
    """Check the package and remember the result; returns what is found."""
    monkeypatch.setattr(report, "PACKAGE", package)
    monkeypatch.setattr(report, "release_of", lambda: examination.release_of(package))
    now = iter(range(1, 1000))

    def check() -> list[Touched]:
        written = write_report(services.database, services.hashes, services.settings, [], next(now))
        return written.findings

    return check


def test_an_older_release_or_another_key_is_told_and_not_got_used_to(
    package: Path, remembered: Callable[[], list[Touched]]
) -> None:
    assert remembered() == []
    sign(package, released_at=RELEASED_AT - 1)
    for _ in range(2):
        assert ["旧" in one.text for one in remembered()] == [True]
    sign(package, Ed25519PrivateKey.generate())
    for _ in range(2):
        assert [one.text for one in remembered()] == ["签名的人换了"]
    (package / MANIFEST_NAME).unlink()
    for _ in range(2):
        assert [one.text for one in remembered()] == ["以前有签名的清单，现在没有了"]
    sign(package, released_at=RELEASED_AT + 1)
    assert remembered() == []


def test_third_party_lists_that_change_without_a_release_are_told(
    package: Path, remembered: Callable[[], list[Touched]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert remembered() == []
    monkeypatch.setattr(report, "distributions", list)
    assert ["第三方软件包" in one.text for one in remembered()] == [True]
    sign(package, released_at=RELEASED_AT + 1)
    assert remembered() == []


def test_changed_settings_are_told_by_name_and_kept_as_hashes(services: Services) -> None:
    def check(services: Services, now: int) -> list[str]:
        written = write_report(services.database, services.hashes, services.settings, [], now)
        return written.changed_settings

    assert check(services, 1) == []
    other = msgspec.structs.replace(services.settings, page_size=48, webhook_secret="x" * 20)
    changed = msgspec.structs.replace(services, settings=other)
    assert check(changed, 2) == ["page_size", "webhook_secret"]
    assert check(changed, 3) == []
    told = {
        one.topic: one.sentence for one in examine_installation(other, lambda: 4, is_quick=True)
    }
    assert "LIUYING_PAGE_SIZE、LIUYING_WEBHOOK_SECRET" in told["settings-changed"]


class Watched:
    """A server's watch over a folder, with a clock."""

    def __init__(self, services: Services, folder: Path) -> None:
        self.now = 1_000_000
        self.checks = 0
        self.findings: list[Touched] = []
        self.services = msgspec.structs.replace(services, clock=lambda: self.now)
        self.watch = TamperWatch(self.services, self._examine, [folder])

    def _examine(self) -> list[Touched]:
        self.checks += 1
        return self.findings

    def look(self) -> int:
        """How many full checks a look takes."""
        before = self.checks
        self.now += 30_000
        self.watch.look()
        return self.checks - before

    def noted(self) -> list[str]:
        quick = examine_installation(self.services.settings, lambda: self.now, is_quick=True)
        return [one.sentence for one in quick if one.topic == "touched-noted"]


def test_a_touched_file_is_told_at_the_next_look(
    services: Services, package: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Watched(services, package)
    assert [watched.look() for _ in range(3)] == [1, 0, 0]
    append_keeping_time(package / "web/assets/app-1.js")
    # The program that runs the tests has no manifest: what it was at the start is all there is.
    assert watched.look() == 1
    assert "app-1.js" in watched.noted()[0]
    assert "the program was touched" in caplog.text
    caplog.clear()
    assert [watched.look() for _ in range(2)] == [0, 0]
    watched.now += HOUR_MS
    assert watched.look() == 1
    assert len(watched.noted()) == 1
    assert "the program was touched" not in caplog.text


def test_what_the_full_check_finds_is_told_and_forgotten_when_it_is_mended(
    services: Services, package: Path
) -> None:
    watched = Watched(services, package)
    watched.findings = [Touched("/usr/lib/liuying/page.py", Kind.CHANGED)]
    watched.look()
    assert "/usr/lib/liuying/page.py 内容变了" in watched.noted()[0]
    watched.findings = []
    watched.now += HOUR_MS
    watched.look()
    assert watched.noted() == []


def test_a_check_that_fails_is_tried_again(services: Services, package: Path) -> None:
    watched = Watched(services, package)

    def fail() -> list[Touched]:
        raise OSError("no answer")

    watched.watch._examine = fail
    with pytest.raises(OSError, match="no answer"):
        watched.watch.look()
    watched.watch._examine = watched._examine
    assert watched.look() == 1


def test_the_message_names_the_files() -> None:
    message = message_of("流影", [Touched("/a", Kind.ADDED)] * 12, 0)
    assert message["event"] == EVENT
    assert message["text"].startswith("流影：程序文件被改动：/a 不是这个版本的文件；")
    assert message["text"].endswith("等 12 处")


def test_the_watch_covers_the_program_its_pages_and_its_packages(services: Services) -> None:
    folders = tamper_watch._watched(services)
    for needed in (PACKAGE, services.settings.web_dir, Path(pytest.__file__).parent):
        assert any(one in (needed, *needed.parents) for one in folders)


def test_a_server_that_stops_does_not_wait_for_an_examination(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine, comparing all files takes minutes."""
    begun, program = tmp_path / "begun", tmp_path / "python"
    program.write_text(f"#!/bin/sh\n: > {begun}\nexec sleep {2 * PATIENCE_S}\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(tamper_watch, "DELAY_S", 0)

    async def begin_and_stop() -> bool:
        running = asyncio.create_task(TamperWatch(services, folders=[]).run())
        await asyncio.to_thread(wait_until, begun.exists)
        running.cancel()
        ended, _ = await asyncio.wait({running}, timeout=PATIENCE_S)
        return bool(ended)

    assert asyncio.run(begin_and_stop())


def test_an_examination_that_was_ended_does_not_begin() -> None:
    examination = ApartExamination()
    examination.end()
    assert examination() is None


def test_this_very_program_is_as_it_was_installed() -> None:
    assert ApartExamination()() == []


def test_the_command_says_what_was_found(package: Path) -> None:
    """With the real program, copied and signed."""
    copy = package.parent / "real" / "liuying"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    sign(copy)
    environment = os.environ | {"PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1"}

    def verify(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "liuying", "verify", *options]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    clean = verify()
    assert (clean.returncode, clean.stdout.splitlines()[-1]) == (0, "没有改动")
    append(copy / "kit" / "envelope.py", "\n")
    touched = verify("--json")
    assert touched.returncode == 1
    [finding] = json.loads(touched.stdout)
    assert (finding["path"], finding["kind"]) == (str(copy / "kit" / "envelope.py"), "changed")


@pytest.mark.parametrize("is_unsigned", [True, False])
def test_the_doctor_says_that_a_build_is_unsigned(
    services: Services, monkeypatch: pytest.MonkeyPatch, *, is_unsigned: bool
) -> None:
    monkeypatch.setattr("liuying.installation.doctor.is_unsigned_build", lambda: is_unsigned)
    findings = examine_installation(services.settings, services.clock, is_quick=True)
    told = [one.severity for one in findings if one.topic == "unsigned-build"]
    assert told == ["info"] * is_unsigned


def test_what_was_installed_without_a_signature_is_an_unsigned_build(package: Path) -> None:
    """And neither what was signed nor what runs from its sources."""
    assert not is_unsigned_build(package)
    (package / MANIFEST_NAME).unlink()
    assert not is_unsigned_build(package)
    root = package.parent
    information = write(root / "liuying-1.2.3.dist-info", {"METADATA": "Name: liuying\n"})
    record = [record_line(root, f"liuying/{name}") for name in FILES]
    (information / "RECORD").write_text("".join(record))
    assert is_unsigned_build(package)
    assert found(package) == []
    for alter, path, kind in TAMPERED.values():
        if kind is not Kind.MANIFEST:
            copy = shutil.copytree(root, root.parent / "copy" / root.name, symlinks=True)
            alter(copy / "liuying")
            assert found(copy / "liuying") == [(path, kind)]
            shutil.rmtree(copy.parent)


def test_the_doctor_says_what_was_touched(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        Touched("/usr/lib/elsewhere/page.py", Kind.CHANGED),
        Touched(str(PACKAGE / "kit" / "clock.py"), Kind.CHANGED),
    ]
    monkeypatch.setattr("liuying.installation.doctor.examine_program", lambda: found)
    for is_quick in (True, False):
        findings = examine_installation(services.settings, services.clock, is_quick=is_quick)
        told = [one.sentence for one in findings if one.topic == "touched"]
        expected = (
            []
            if is_quick
            else [
                "程序文件被改动：/usr/lib/elsewhere/page.py 内容变了、liuying/kit/clock.py 内容变了"
            ]
        )
        assert told == expected
