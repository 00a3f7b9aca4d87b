"""Which files make a chunk."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.media.chunk_files import (
    DAMAGE_NAME,
    are_chunk_files,
    check_chunk,
    damaged_in,
)
from liuying.media.chunks import Chunk
from liuying.media.errors import ChunkError
from liuying.media.plan import make_plan
from liuying.media.transcode import rung_file
from tests.media.facts import probe_of

RUNGS = make_plan(probe_of()).rungs
NAMES = {rung_file(rung) for rung in RUNGS}


@pytest.mark.parametrize("beside", [set(), {DAMAGE_NAME}, {"cover01.bmp", "cover100.bmp"}])
def test_a_chunk_is_its_renditions_and_what_may_lie_beside_them(beside: set[str]) -> None:
    assert are_chunk_files(NAMES | beside, RUNGS)
    assert not are_chunk_files(NAMES - {rung_file(RUNGS[0])} | beside, RUNGS)


@pytest.mark.parametrize(
    "name",
    [
        "cover٠١.bmp",
        "cover1234.bmp",
        "../cover01.bmp",
        "cover01.bmp.exe",
        "cover.bmp",
        ".hidden",
        "",
        "other.mp4",
    ],
)
def test_nothing_else_lies_there(name: str) -> None:
    assert not are_chunk_files(NAMES | {name}, RUNGS)


def test_damage_is_a_number(tmp_path: Path) -> None:
    assert damaged_in(tmp_path) == 0
    (tmp_path / DAMAGE_NAME).write_bytes(b"12")
    assert damaged_in(tmp_path) == 12
    for text in ("十二", "-5", "1_0", " 7\n", "", "1" * 10):
        (tmp_path / DAMAGE_NAME).write_bytes(text.encode())
        with pytest.raises(ChunkError):
            damaged_in(tmp_path)


def test_a_rendition_has_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where only encoding can tell how many."""
    monkeypatch.setattr("liuying.media.joining.count_pictures", lambda _: 0)
    monkeypatch.setattr("liuying.media.chunk_files.pictures_of", lambda *_: None)
    chunk = Chunk(number=1, start=None, end=None, keys=(), duration=1.0, pictures=25)
    with pytest.raises(ChunkError):
        check_chunk(tmp_path, chunk, RUNGS)
    monkeypatch.setattr("liuying.media.joining.count_pictures", lambda _: 1)
    check_chunk(tmp_path, chunk, RUNGS)
