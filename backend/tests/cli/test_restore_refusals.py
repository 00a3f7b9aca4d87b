"""What is no sound backup of ours is refused with one line, and the old data stay."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from liuying.installation.services import Services
from tests.cli.test_backup import backup, content_of
from tests.command_line import Run, run

pytestmark = pytest.mark.data_folder("a restore fills a data folder with its own database")

__all__ = ["backup", "run"]


def member(name: str, content: bytes = b"x", **values: object) -> bytes:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for key, value in values.items():
        setattr(info, key, value)
    return info.tobuf(tarfile.GNU_FORMAT) + content + b"\0" * (-len(content) % 512)


def broken(good: bytes) -> Iterator[tuple[str, bytes]]:
    """What is wrong, and an archive where it is."""
    about = good[: 512 + 512]
    rest = good[1024:]
    yield "没有内容", b""
    yield "不是归档", b"hello" * 1000
    yield "截断", good[:-2048]
    yield "在文件中截断", good[: len(good) // 2]
    middle = good.index(b"SQLite format 3") + 5000
    yield "一位不同", good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :]
    for name in (
        "../evil",
        "/etc/evil",
        "media/public/../../evil",
        "enc/.x",
        "enc/a/b/c/d",
        "x.sh",
        "jobs/a",
    ):
        yield name, about + member(name) + rest
    for kind in (
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.CHRTYPE,
        tarfile.FIFOTYPE,
        tarfile.DIRTYPE,
    ):
        yield (
            f"类型 {kind!r}",
            about + member("enc/aa/x.bin", b"", type=kind, linkname="/etc/passwd") + rest,
        )
    yield "稀疏", about + member("enc/aa/x.bin", type=tarfile.GNUTYPE_SPARSE) + rest
    yield "扩展头", about + member("enc/aa/x.bin", type=tarfile.XHDTYPE) + rest
    yield "大小不实", about + member("enc/aa/x.bin", size=1 << 60) + rest
    yield "大小为负", about + member("enc/aa/x.bin", size=-512) + rest
    yield "清单里没有", about + member("enc/aa/x.bin") + rest
    yield "两次", about + member("enc/aa/x.bin") * 2 + rest
    yield "不从说明开始", rest


def test_a_bad_archive_changes_nothing(
    run: Run, backup: Path, filled: Services, tmp_path: Path
) -> None:
    filled.database.close()
    before, database = content_of(filled.data_dir), (filled.data_dir / "liuying.db").read_bytes()
    count = 0
    for fault, content in broken(backup.read_bytes()):
        bad = tmp_path / "bad.tar"
        bad.write_bytes(content)
        refused = run(filled.data_dir, "restore", bad, "--yes")
        assert refused.exit_code == 1, fault
        assert len(refused.stderr.strip().splitlines()) == 1, (fault, refused.stderr)
        assert content_of(filled.data_dir) == before, fault
        assert (filled.data_dir / "liuying.db").read_bytes() == database, fault
        assert not (tmp_path / "evil").exists()
        count += 1
    assert count > 20


def rewritten(backup: Path, name: str, content: bytes) -> bytes:
    """The archive with another content of one file, its checksums right."""
    target = io.BytesIO()
    lines: list[bytes] = []
    with tarfile.open(backup) as archive:
        for info in archive:
            data = archive.extractfile(info)
            assert data is not None
            kept = content if info.name == name else data.read()
            if info.name == "manifest.jsonl":
                kept = b"".join(lines)
            lines.append(
                msgspec.json.encode(
                    {
                        "name": info.name,
                        "size": len(kept),
                        "sha256": hashlib.sha256(kept).hexdigest(),
                    }
                )
                + b"\n"
            )
            target.write(member(info.name, kept))
    return target.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("liuying.db", b"SQLite format 3\0" + b"\1" * 5000, "备份里的数据库已损坏"),
        ("secrets.json", b"{}", "备份里的密钥文件有误"),
        ("about.json", b"{}", "不是流影的备份"),
        (
            "about.json",
            msgspec.json.encode(
                {
                    "form": 1,
                    "engine": "sqlite",
                    "revision": "9999",
                    "has_media": True,
                    "created_at": "2026-01-01T00:00:00Z",
                    "version": "9",
                }
            ),
            "备份来自更新的版本",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    run: Run,
    backup: Path,
    filled: Services,
    tmp_path: Path,
    name: str,
    content: bytes,
    sentence: str,
) -> None:
    bad = tmp_path / "bad.tar"
    bad.write_bytes(rewritten(backup, name, content))
    before = content_of(filled.data_dir)
    refused = run(filled.data_dir, "restore", bad, "--yes")
    assert (refused.exit_code, sentence in refused.stderr) == (1, True)
    assert content_of(filled.data_dir) == before
