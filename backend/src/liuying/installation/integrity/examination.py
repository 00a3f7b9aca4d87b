"""Comparing everything that runs with what was released: our own files with the signed manifest,
third-party packages with the hashes that came with them, compiled files with their sources. Of a
build that nobody signed, our own files are compared as a third party's are.
"""

from __future__ import annotations

import csv
import marshal
import os
import stat
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, distributions
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

import msgspec

from liuying.installation.integrity.manifest import (
    CACHE_FOLDER,
    MANIFEST_NAME,
    Manifest,
    ManifestError,
    listed_files,
    read_manifest,
)
from liuying.installation.integrity.touched import PACKAGE, Kind, Touched
from liuying.kit.files import sha256_of

RECORD = "RECORD"
# What an installer writes for itself, without a hash.
UNHASHED = {"INSTALLER", "REQUESTED", "direct_url.json", RECORD}
# Files that Python runs although nobody imports them, or that it loads in place of others.
RUNNABLE = {".py", ".pth", ".so", ".pyc"}
# The bytes of a compiled file before its code; flags that say by what it is compared.
HEADER_BYTES, FLAGS = 16, slice(4, 8)
BY_TIME, BY_CHECKED_HASH = 0, 3


class Release(msgspec.Struct, frozen=True):
    """What the manifest says, and who signed it."""

    manifest: Manifest
    key: str


def release_of(package: Path = PACKAGE) -> Release | None:
    """The signed manifest; None where there is none: the program runs from its sources, or whoever
    built it did not sign.

    Raises:
        ManifestError: It cannot be trusted.
    """
    path = package / MANIFEST_NAME
    if path.is_symlink() or not path.exists():
        return None
    try:
        return Release(*read_manifest(path.read_bytes()))
    except OSError as error:
        raise ManifestError("清单无法读取") from error


def is_unsigned_build(package: Path = PACKAGE) -> bool:
    """Whether the program was installed from a build that nobody signed."""
    path = package / MANIFEST_NAME
    return not (path.is_symlink() or path.exists()) and bool(_recorded(package))


def examine(
    package: Path = PACKAGE,
    *,
    installed: list[Distribution] | None = None,
    is_thorough: bool = False,
) -> list[Touched]:
    """Everything that is not what was released, by path.

    Args:
        package: The folder of our own package.
        installed: Third-party packages; None for all of this interpreter.
        is_thorough: Compare the compiled files of third-party packages too (about a minute).
    """
    packages = list(distributions()) if installed is None else installed
    found = set(_our_own(package))
    found.update(_third_party(packages, package, is_thorough=is_thorough))
    return sorted(found)


def examine_own(paths: list[str], package: Path = PACKAGE) -> list[Touched]:
    """Compare some of our own files with the manifest, in this process: whoever changes the
    program's files may have changed what `examine` does in another one.

    Args:
        paths: Those elsewhere are left out.
    """
    try:
        release = release_of(package)
    except ManifestError as error:
        return [Touched(str(package / MANIFEST_NAME), Kind.MANIFEST, str(error))]
    if release is None:
        return []
    found: list[Touched] = []
    for path in map(Path, paths):
        if package not in path.parents or path == package / MANIFEST_NAME:
            continue
        digest = release.manifest.files.get(path.relative_to(package).as_posix())
        if digest is not None:
            found += _compared(path, digest, _manifest_hash)
        elif path.is_symlink() or path.exists():
            found.append(Touched(str(path), Kind.LINK if path.is_symlink() else Kind.ADDED))
    return found


def _our_own(package: Path) -> Iterator[Touched]:
    try:
        release = release_of(package)
    except ManifestError as error:
        yield Touched(str(package / MANIFEST_NAME), Kind.MANIFEST, str(error))
        return
    if (package / MANIFEST_NAME).is_symlink():
        yield Touched(str(package / MANIFEST_NAME), Kind.LINK)
    if release is not None:
        expected = release.manifest.files
        for name, digest in expected.items():
            yield from _compared(package / name, digest, _manifest_hash)
        known = set(expected)
    else:
        # Compared with their hashes like every package's.
        known = _recorded(package)
        if not known:
            return  # It runs from its sources.
    for path in listed_files(package):
        if path.relative_to(package).as_posix() not in known:
            yield Touched(str(path), Kind.LINK if path.is_symlink() else Kind.ADDED)
    yield from _compiled(package)


def _recorded(package: Path) -> set[str]:
    """Our own files as an installer recorded them, by path below the package's folder; none where
    the program runs from its sources.
    """
    root = package.parent.resolve() / package.name
    return {
        path.relative_to(root).as_posix()
        for one in Distribution.discover(name=package.name, path=[str(package.parent)])
        for path, _ in _records(one)
        if path.is_relative_to(root)
    }


def _records(one: Distribution) -> Iterator[tuple[Path, str]]:
    """The files of a package and their hashes; none of what is not from a wheel."""
    root = Path(str(one.locate_file(""))).resolve()
    for name, digest, _ in csv.reader((one.read_text(RECORD) or "").splitlines()):
        yield Path(os.path.normpath(root / name)), digest


def _compared(path: Path, digest: str, hashed: Callable[[Path], str]) -> Iterator[Touched]:
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            yield Touched(str(path), Kind.LINK)
        elif not stat.S_ISREG(mode) or (callable(hashed) and hashed(path) != digest):
            yield Touched(str(path), Kind.CHANGED)
    except FileNotFoundError:
        yield Touched(str(path), Kind.MISSING)
    except OSError as error:
        yield Touched(str(path), Kind.UNREADABLE, error.strerror or "")


def _manifest_hash(path: Path) -> str:
    return sha256_of(path).hex()


def _record_hash(path: Path) -> str:
    """As RECORD has it (binary distribution format): SHA-256 in base64 for addresses, without
    padding.
    """
    return f"sha256={urlsafe_b64encode(sha256_of(path)).rstrip(b'=').decode()}"


def _third_party(
    packages: list[Distribution], package: Path, *, is_thorough: bool
) -> Iterator[Touched]:
    known: set[Path] = set()
    roots: set[Path] = set()
    for one in packages:
        if one.read_text(RECORD) is None:
            continue  # Not from a wheel: a system's package, or one without a list.
        roots.add(Path(str(one.locate_file(""))).resolve())
        for path, digest in _records(one):
            known.add(path)
            if digest.startswith("sha256="):
                yield from _compared(path, digest, _record_hash)
    for root in sorted(roots):
        yield from _added(root, known, package)
        if is_thorough:
            yield from _compiled(root)


def _added(root: Path, known: set[Path], package: Path) -> Iterator[Touched]:
    """Files that Python would run and that no package brought."""
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        # `_our_own` looks there.
        folders[:] = [one for one in folders if one != CACHE_FOLDER and here / one != package]
        for one in folders:
            if (here / one).is_symlink() and here / one not in known:
                yield Touched(str(here / one), Kind.LINK)
        for name in names:
            path = here / name
            if path.suffix in RUNNABLE and path not in known:
                yield Touched(str(path), Kind.LINK if path.is_symlink() else Kind.ADDED)


def _compiled(root: Path) -> Iterator[Touched]:
    """Compiled files that would run in place of their sources and are not made of them."""
    for path in sorted(root.rglob("*.pyc")):
        if path.parent.name != CACHE_FOLDER:
            continue  # Told as added.
        try:
            if not _is_compiled_from_source(path):
                yield Touched(str(path), Kind.COMPILED)
        except OSError as error:
            yield Touched(str(path), Kind.UNREADABLE, error.strerror or "")


def _is_compiled_from_source(path: Path) -> bool:
    source = path.parent.parent / f"{path.name.split('.')[0]}.py"
    if Path(cache_from_source(str(source))) != path:
        return True  # Of another interpreter or another optimisation: this one does not read it.
    if not source.is_file():
        return False
    content, text = path.read_bytes(), source.read_bytes()
    flags = int.from_bytes(content[FLAGS], "little")
    made_from = int(source.stat().st_mtime) & 0xFFFFFFFF, len(text)
    named = int.from_bytes(content[8:12], "little"), int.from_bytes(content[12:16], "little")
    if content[:4] != MAGIC_NUMBER or (flags == BY_TIME and named != made_from):
        return True  # Compiled again before it is used.
    if flags not in {BY_TIME, BY_CHECKED_HASH}:
        return False  # Nobody compares it with its source before it runs.
    try:
        code = marshal.loads(content[HEADER_BYTES:])  # noqa: S302 - compared, never run
        return bool(code == compile(text, str(source), "exec", dont_inherit=True))
    except (ValueError, EOFError, TypeError, SyntaxError):
        return False
