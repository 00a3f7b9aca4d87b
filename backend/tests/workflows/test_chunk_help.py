"""Which films are helped with: of living imports, where a chunk would come out the same, as long as
there is one.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from liuying.media import chunk_run
from liuying.media.chunks import Chunk
from liuying.workflows.chunk_help import find_film, help_with
from liuying.workflows.job_folders import JobFolders
from tests.media.clips import h264, make_clip, picture
from tests.workflows.films import finished, offered

HALVES = ["low", "rest"]


@pytest.fixture
def folders(tmp_path: Path) -> JobFolders:
    return JobFolders(tmp_path / "data" / "jobs")


def name_of(chunk: Chunk | None) -> str:
    return "" if chunk is None else chunk.name


def test_a_film_is_helped_with_until_nothing_is_left(folders: JobFolders, film_clip: Path) -> None:
    assert find_film(folders, ()) is None
    with offered(folders.root.parent, film_clip) as kept:
        made = []
        while (found := find_film(folders, ())) is not None:
            assert found == kept
            made.append(name_of(help_with(kept)))
        # The first rung's before the others'.
        assert made == ["c0001", "c0002", "c0003", "c0004"] * 2
        assert finished(kept) == [f"{part}/{name}" for part in HALVES for name in made[:4]]
        assert help_with(kept) is None


def test_first_rungs_of_all_films_come_first(
    folders: JobFolders, film_clip: Path, tmp_path: Path
) -> None:
    other = make_clip(tmp_path / "other.mp4", *picture("192x144", 62, "10"), *h264(65))
    with (
        offered(folders.root.parent, film_clip) as first,
        offered(folders.root.parent, other) as second,
    ):
        shutil.rmtree(first / "low")  # published
        assert find_film(folders, ()) == second
        assert find_film(folders, {second.name}) == first
        assert find_film(folders, {first.name, second.name}) is None


def test_nothing_is_done_for_a_dead_import(folders: JobFolders, film_clip: Path) -> None:
    with offered(folders.root.parent, film_clip) as kept:
        assert find_film(folders, ()) == kept
    assert (kept / "offer.json").exists()
    assert find_film(folders, ()) is None


def test_nothing_is_done_that_would_come_out_otherwise(
    folders: JobFolders, film_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "film.mp4"
    shutil.copyfile(film_clip, source)
    with offered(folders.root.parent, source) as kept:
        with monkeypatch.context() as patched:  # a machine with another transcoder
            patched.setattr(chunk_run, "ffmpeg_version", lambda: "another")
            assert find_film(folders, ()) is None
        assert find_film(folders, ()) == kept
        source.write_bytes(b"another")  # a machine with another file of that name
        assert find_film(folders, ()) is None


def test_a_film_that_is_gone_is_left_alone(folders: JobFolders, film_clip: Path) -> None:
    with offered(folders.root.parent, film_clip) as kept:
        shutil.rmtree(kept)
        assert help_with(kept) is None
        assert find_film(folders, ()) is None
        assert not kept.exists()
