"""The format of a backup: a tar of plain files, streamed, with all checksums in its last member.

Only what this program writes is read back: regular files with allow-listed names. No member is
unpacked by tar's own rules, so links, devices, `../` and sparse files have no meaning.
"""

from __future__ import annotations

import hashlib
import re
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Protocol

import msgspec

from liuying.kit.errors import LiuyingError
from liuying.kit.object_store import ObjectStore, OpenObject, opened

BLOCK = tarfile.BLOCKSIZE
CHUNK_BYTES = 1024 * 1024
ABOUT_NAME, MANIFEST_NAME = "about.json", "manifest.jsonl"
MAX_ABOUT_BYTES = 64 * 1024
PART = r"[0-9A-Za-z_-][0-9A-Za-z_.-]{0,79}"
NAME = re.compile(
    rf"about\.json|manifest\.jsonl|secrets\.json|liuying\.db|liuying\.dump|enc/{PART}(/{PART})?"
    rf"|originals/{PART}/[^./\x00-\x1f\x7f][^/\x00-\x1f\x7f]{{0,63}}"
    rf"|media/(public|protected|removed)/{PART}(/{PART}){{1,3}}"
)
FOREIGN, CUT_SHORT = "不是流影的备份", "备份不完整：末尾的清单不在（文件被截断）"
# Called with the number of bytes since the last call.
Report = Callable[[int], None]


class BackupError(LiuyingError):
    """A backup cannot be written, or is not fit for restoring. The message says why, in Chinese."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`about.json`, the first member.

    Attributes:
        form: Version of this format.
        engine: `sqlite` or `postgresql`.
        revision: The database's migration.
        has_media: Whether it contains the videos' files.
        has_originals: Whether it contains the kept originals.
        created_at: ISO 8601.
        version: The program's.
        has_pictures: Whether it contains the encrypted pictures.
    """

    form: int
    engine: str
    revision: str
    has_media: bool
    created_at: str
    version: str
    has_originals: bool = False
    has_pictures: bool = True


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the manifest: a file, its size in bytes and its SHA-256 in hexadecimal digits."""

    name: str
    size: int
    sha256: str


class Source(Protocol):
    """The source of a member."""

    def read(self, length: int, /) -> bytes:
        """The next bytes."""


class _Reading:
    """A stored object, read from its start."""

    def __init__(self, found: OpenObject) -> None:
        self._found = found
        self._offset = 0

    def read(self, length: int, /) -> bytes:
        data = self._found.read(self._offset, length)
        self._offset += len(data)
        return data


class ArchiveWriter:
    """Writes members one after another.

    Args:
        target: Opened for writing.
        report: Told of bytes written.
    """

    def __init__(self, target: IO[bytes], report: Report) -> None:
        self._target = target
        self._report = report
        self._lines = TemporaryFile()  # noqa: SIM115 - closed with the writer
        self.files = 0
        self.bytes = 0

    def __enter__(self) -> ArchiveWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()

    def add(self, name: str, path: Path) -> None:
        """Add a file with its current size.

        Raises:
            FileNotFoundError: It is missing; nothing was written.
            BackupError: It shrank while it was read.
        """
        with path.open("rb") as source:
            self._add(name, source, path.stat().st_size)

    def add_object(self, name: str, objects: ObjectStore, key: str) -> None:
        """Add a stored object.

        Raises:
            FileNotFoundError: It is missing; nothing was written.
        """
        with opened(objects, key) as found:
            self._add(name, _Reading(found), found.size)

    def add_bytes(self, name: str, content: bytes) -> None:
        """Add bytes held in memory."""
        with TemporaryFile() as source:
            source.write(content)
            source.seek(0)
            self._add(name, source, len(content))

    def finish(self) -> None:
        """Write the manifest and the end of the archive."""
        size = self._lines.tell()
        self._lines.seek(0)
        self._copy(MANIFEST_NAME, self._lines, size)
        self._target.write(b"\0" * (2 * BLOCK))

    def _add(self, name: str, source: Source, size: int) -> None:
        digest = self._copy(name, source, size)
        self._lines.write(msgspec.json.encode(Entry(name, size, digest)) + b"\n")
        self.files += 1
        self.bytes += size

    def _copy(self, name: str, source: Source, size: int) -> str:
        if NAME.fullmatch(name) is None:
            raise BackupError(f"文件名 {name} 不能写进备份")
        info = tarfile.TarInfo(name)
        info.size, info.mode = size, 0o600
        self._target.write(info.tobuf(tarfile.GNU_FORMAT))
        digest, left = hashlib.sha256(), size
        while left:
            data = source.read(min(CHUNK_BYTES, left))
            if not data:
                raise BackupError(f"文件 {name} 在备份时变短了")
            digest.update(data)
            self._target.write(data)
            self._report(len(data))
            left -= len(data)
        self._target.write(b"\0" * (-size % BLOCK))
        return digest.hexdigest()


def unpack(source: IO[bytes], folder: Path, report: Report) -> About:
    """Write every file of an archive below an empty folder and verify all against the manifest.

    Raises:
        BackupError: It is not a backup, is damaged or truncated, or contains what no backup of ours
            contains. What was written so far is in the folder and must not be used.
    """
    with TemporaryFile() as seen:
        for name, size in _headers(source):
            if name == MANIFEST_NAME:
                seen.seek(0)
                _compare(source, size, seen)
                return _about(folder)
            entry = Entry(name, size, _write(source, size, folder / name, report))
            seen.write(msgspec.json.encode(entry) + b"\n")
    raise BackupError(CUT_SHORT)


def verify(source: IO[bytes], report: Report) -> int:
    """Read a whole archive and verify every file against the manifest; nothing is written.

    Returns:
        The number of files.

    Raises:
        BackupError: As `unpack` does.
    """
    files = 0
    with TemporaryFile() as seen:
        for name, size in _headers(source):
            if name == MANIFEST_NAME:
                seen.seek(0)
                _compare(source, size, seen)
                return files
            digest = hashlib.sha256()
            for data in _chunks(source, size):
                digest.update(data)
                report(len(data))
            seen.write(msgspec.json.encode(Entry(name, size, digest.hexdigest())) + b"\n")
            files += 1
    raise BackupError(CUT_SHORT)


def read_about(source: IO[bytes]) -> About:
    """What an archive says of itself, from its first member alone.

    Raises:
        BackupError: It is no backup, or a later version's.
    """
    for _name, size in _headers(source):
        return _decoded(b"".join(_chunks(source, size)))
    raise BackupError(FOREIGN)


def _headers(source: IO[bytes]) -> Iterator[tuple[str, int]]:
    is_first = True
    while (block := source.read(BLOCK)) and block.strip(b"\0"):
        try:
            info = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
        except (tarfile.TarError, ValueError) as error:
            raise BackupError(
                "备份已损坏，或不是流影的备份" if not is_first else FOREIGN
            ) from error
        if (
            info.type not in {tarfile.REGTYPE, tarfile.AREGTYPE}
            or NAME.fullmatch(info.name) is None
            or info.size < 0
        ):
            raise BackupError(f"备份里有不允许的内容：{info.name}")
        if is_first and (info.name != ABOUT_NAME or info.size > MAX_ABOUT_BYTES):
            raise BackupError(FOREIGN)
        is_first = False
        yield info.name, info.size


def _write(source: IO[bytes], size: int, target: Path, report: Report) -> str:
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    try:
        with target.open("xb") as file:
            for data in _chunks(source, size):
                digest.update(data)
                file.write(data)
                report(len(data))
    except FileExistsError:
        raise BackupError(f"备份里有两个 {target.name}") from None
    return digest.hexdigest()


def _chunks(source: IO[bytes], size: int) -> Iterator[bytes]:
    """A member's bytes in chunks of bounded size, then its padding."""
    left = size
    while left:
        data = source.read(min(CHUNK_BYTES, left))
        if not data:
            raise BackupError("备份不完整（文件被截断）")
        yield data
        left -= len(data)
    source.read(-size % BLOCK)


def _compare(source: IO[bytes], size: int, seen: IO[bytes]) -> None:
    """The manifest must match what was read, line by line; both are compared in pieces."""
    for data in _chunks(source, size):
        if seen.read(len(data)) != data:
            raise BackupError("备份已损坏：校验和不符")
    if seen.read(1):
        raise BackupError("备份已损坏：清单与内容不符")


def _about(folder: Path) -> About:
    try:
        return _decoded((folder / ABOUT_NAME).read_bytes())
    except OSError as error:
        raise BackupError(FOREIGN) from error


def _decoded(content: bytes) -> About:
    try:
        about = msgspec.json.decode(content, type=About)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BackupError(FOREIGN) from error
    if about.form != 1:
        raise BackupError("备份来自更新的版本，请先升级流影")
    return about
