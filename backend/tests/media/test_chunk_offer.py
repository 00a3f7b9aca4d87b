"""What is said to helpers: all they need for the same command lines, of the same file."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.media.chunk_offer import (
    OFFER_NAME,
    PARTS,
    REST_FOLDER,
    is_offered,
    offer_chunks,
    read_offer,
    rungs_of,
    untouched_part,
    withdraw_chunks,
)
from liuying.media.chunk_run import fingerprint
from liuying.media.plan import Plan, make_plan
from liuying.media.probe import probe
from liuying.media.transcode import chunk_arguments
from tests.media.clips import FAST


@pytest.fixture
def plan(film_clip: Path) -> Plan:
    return make_plan(probe(film_clip), FAST)


def test_an_offer_says_all_that_a_chunk_is_made_of(
    plan: Plan, film_clip: Path, tmp_path: Path
) -> None:
    offer_chunks(tmp_path, plan, film_clip, PARTS)
    offer = read_offer(tmp_path)
    assert offer is not None
    assert fingerprint(offer.plan) == fingerprint(plan)
    assert offer.plan.output_bytes == plan.output_bytes
    for part in PARTS:
        rungs = rungs_of(offer.plan, part)
        assert rungs == rungs_of(plan, part) != []
        for chunk in plan.chunks:
            found = chunk_arguments(offer.plan, Path(offer.source), rungs, chunk)
            assert found == chunk_arguments(plan, film_clip, rungs, chunk)
    assert (tmp_path / OFFER_NAME).stat().st_mode & 0o777 == 0o600


def test_another_file_of_that_name_is_none_of_it(
    plan: Plan, film_clip: Path, tmp_path: Path
) -> None:
    source = tmp_path / "film.mp4"
    source.write_bytes(film_clip.read_bytes())
    offer_chunks(tmp_path, plan, source, PARTS)
    offer = read_offer(tmp_path)
    assert offer is not None
    assert offer.is_of_this_source()
    source.write_bytes(film_clip.read_bytes() + b"\0\0\0\x08free")
    assert not offer.is_of_this_source()
    source.unlink()
    assert not offer.is_of_this_source()


def test_parts_that_are_wanted(plan: Plan, film_clip: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    offer_chunks(kept, plan, film_clip, [REST_FOLDER])
    offer = read_offer(kept)
    assert offer is not None
    # The first rung is published: nobody makes its chunks again.
    assert untouched_part(kept, offer) == PARTS.index(REST_FOLDER)
    offer_chunks(kept, plan, film_clip, PARTS)
    assert untouched_part(kept, offer) == 0
    for chunk in plan.chunks:
        (kept / PARTS[0] / f"{chunk.name}.1234.tmp").mkdir()
    assert untouched_part(kept, offer) == 1
    withdraw_chunks(kept)
    assert untouched_part(kept, offer) is None
    assert not is_offered(kept)
    assert not list(kept.iterdir())


@pytest.mark.parametrize("content", [b"", b"{", b"{}"])
def test_a_spoilt_offer_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / OFFER_NAME).write_bytes(content)
    assert read_offer(tmp_path) is None
    (tmp_path / OFFER_NAME).unlink()
    assert read_offer(tmp_path) is None
