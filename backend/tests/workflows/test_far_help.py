"""A long film that one machine imports and others help with: they share a database and a bucket,
and no folder.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.playback.tables import asset
from liuying.installation.services import Services
from liuying.kit.files import sha256_of
from liuying.kit.object_keys import inbox_key
from liuying.kit.object_records import ObjectRecords
from liuying.kit.s3_store import S3Store
from liuying.kit.storage_layout import GATE_NAME, LOCK_NAME
from liuying.media import chunk_run
from liuying.media.chunk_files import DAMAGE_NAME
from liuying.media.chunk_offer import (
    Offer,
    encode_offered,
    read_offer,
    rungs_of,
    untouched_part,
    withdraw_chunks,
)
from liuying.media.chunks import Chunk
from liuying.media.errors import DiskFullError, UnreadableError
from liuying.media.transcode import rung_file
from liuying.workflows import chunk_claim, chunk_sharing, far_help, inbox
from liuying.workflows.asset_hold import holding
from liuying.workflows.catalogue_rows import register_asset
from liuying.workflows.chunk_help import help_with
from liuying.workflows.chunk_sharing import shared_with_machines
from liuying.workflows.content_hash import hash_file
from liuying.workflows.far_help import (
    FarHelper,
    far_film,
    find_far_films,
    is_made_alike,
    sweep_far_help,
)
from liuying.workflows.import_manifest import Item
from liuying.workflows.inbox import queue_by_content, sweep_inbox
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.queries import shared_films
from liuying.workflows.queries.shared_films import KEPT_MS, State, shared_chunk, shared_film
from liuying.workflows.side_cars import look_beside
from liuying.workflows.video_meta import GivenMeta
from tests.s3_server import S3Server
from tests.waiting import PATIENCE_S, wait_until
from tests.workflows.films import finished, offered

KEY = "a1b2c3d4e5f6g7h8i9j0"
CHUNKS = ["c0001", "c0002", "c0003", "c0004"]
ALL = [f"{part}/{name}" for part in ("low", "rest") for name in CHUNKS]


@pytest.fixture
def machines(
    services: Services, s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Services, Services]:
    """The one that imports and the one that helps, each with a data folder of its own."""
    monkeypatch.setattr(chunk_sharing, "LOOK_S", 0.02)
    monkeypatch.setattr(chunk_claim, "LOOK_S", 0.02)
    objects = S3Store(s3.place(), ObjectRecords(services.database))
    first = msgspec.structs.replace(services, objects=objects)
    elsewhere = msgspec.structs.replace(services.settings, data_dir=tmp_path / "elsewhere")
    elsewhere.data_dir.mkdir()
    return first, msgspec.structs.replace(first, settings=elsewhere)


@contextmanager
def importing(machine: Services, source: Path) -> Iterator[Path]:
    """A film in the inbox whose import lives and encodes nothing by itself; gives the folder of its
    chunks.
    """
    content = hash_file(source)
    machine.objects.put_if_absent(inbox_key(content), source)
    with machine.database.write() as connection:
        register_asset(connection, KEY, content, source.name, is_protected=False)
    with (
        offered(machine.data_dir, source) as kept,
        holding(machine.database, machine.objects, KEY) as hold,
        shared_with_machines(machine, kept, content, hold),
    ):
        wait_until(lambda: far_film(machine.database, kept.name))
        yield kept


def found_by(machine: Services) -> str | None:
    """The film that a machine would help with."""
    folders = JobFolders(machine.layout.jobs)
    return next(iter(find_far_films(machine.database, folders, ())), None)


def unheard() -> None:
    """That a film was fetched is nothing to a helper that is asked for chunks alone."""


def help_to_the_end(machine: Services, helper: FarHelper) -> list[str]:
    """Names of the chunks that it made."""
    made = []
    while (name := found_by(machine)) is not None:
        if (chunk := helper.help_with(name, unheard)) is not None:
            made.append(chunk.name)
    return made


def in_inbox(machine: Services) -> set[str]:
    return {one.key.rpartition("/")[2] for one in machine.objects.objects("inbox/")}


def scratch(machine: Services) -> list[str]:
    """The files on a helping machine."""
    found = (path.name for path in machine.layout.helping.rglob("*") if path.is_file())
    return sorted(name for name in found if name not in {GATE_NAME, LOCK_NAME})


def digests(kept: Path) -> dict[str, bytes]:
    files = (path for path in kept.glob("*/c????/*"))
    return {str(path.relative_to(kept)): sha256_of(path) for path in files}


def state_of_claim(machine: Services) -> State | None:
    """Of the only claim there is."""
    with machine.database.read() as connection:
        found = connection.execute(sa.select(shared_chunk.c.state)).scalar()
    return None if found is None else State(found)


def let_pass(machine: Services, milliseconds: int) -> None:
    """As if so much time had passed since each claim was renewed."""
    later = shared_chunk.c.held_until - milliseconds
    with machine.database.write() as connection:
        connection.execute(sa.update(shared_chunk).values(held_until=later))


Encode = Callable[[Offer, str, Chunk, Path, Event], None]


def encode_by(monkeypatch: pytest.MonkeyPatch, encode: Encode) -> None:
    monkeypatch.setattr(far_help, "encode_offered", encode)


def test_another_machine_makes_the_same_chunks(
    machines: tuple[Services, Services],
    film_clip: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = machines
    brought: list[Path] = []

    def fetch(objects: object, content: str, target: Path) -> None:
        brought.append(target)
        inbox.fetch(objects, content, target)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(far_help, "fetch", fetch)
    content = hash_file(film_clip)
    with importing(first, film_clip) as kept:
        with FarHelper(second) as helper:
            made = help_to_the_end(second, helper)
            # Its chunks, first renditions first; the source came once and stays for the next one.
            assert made == CHUNKS * 2
            assert len(brought) == 1
            assert scratch(second) == [f"{content}.mp4"]
        assert scratch(second) == []
        wait_until(lambda: finished(kept) == ALL)
        wait_until(lambda: in_inbox(first) == {content})
        from_elsewhere = digests(kept)
        assert not list(kept.glob("*/*.lock"))
    with first.database.read() as connection:
        assert connection.execute(sa.select(shared_film)).all() == []
        assert connection.execute(sa.select(shared_chunk)).all() == []
    with offered(tmp_path / "alone", film_clip) as alone:
        while help_with(alone) is not None:
            pass
        assert digests(alone) == from_elsewhere


def test_chunks_of_this_machine_and_of_others_are_different_ones(
    machines: tuple[Services, Services], film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = machines
    at_work = threading.Barrier(3)

    def encode(offer: Offer, part: str, chunk: Chunk, folder: Path, stop: Event) -> None:
        at_work.wait(PATIENCE_S)
        encode_offered(offer, part, chunk, folder, stop)

    encode_by(monkeypatch, encode)
    with (
        importing(first, film_clip) as kept,
        FarHelper(second) as one,
        FarHelper(second) as other,
        ThreadPoolExecutor(2) as pool,
    ):
        begun = [pool.submit(one.help_with, kept.name, unheard)]
        wait_until(lambda: list(kept.glob("low/c0001.*.tmp")))
        begun.append(pool.submit(other.help_with, kept.name, unheard))
        wait_until(lambda: list(kept.glob("low/c0002.*.tmp")))
        made_here = help_with(kept)
        assert made_here is not None
        assert made_here.name == "c0003"
        at_work.wait(PATIENCE_S)
        made = {chunk.name for future in begun if (chunk := future.result()) is not None}
        assert made == {"c0001", "c0002"}
        wait_until(lambda: finished(kept) == ALL[:3])
        # The second one's is the same file by another name.
        sources = list(second.layout.helping.glob("*/*.mp4"))
        assert [path.stat().st_nlink for path in sources] == [2, 2]


def test_a_helper_that_stands_still_stores_nothing(
    machines: tuple[Services, Services], film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = machines
    monkeypatch.setattr(chunk_claim, "BEAT_S", 60.0)

    def encode(offer: Offer, part: str, chunk: Chunk, folder: Path, stop: Event) -> None:
        encode_offered(offer, part, chunk, folder, stop)
        let_pass(first, shared_films.HELD_MS + 1)
        wait_until(lambda: state_of_claim(first) is State.VOID)

    encode_by(monkeypatch, encode)
    with importing(first, film_clip) as kept, FarHelper(second) as helper:
        assert helper.help_with(kept.name, unheard) is None
        assert finished(kept) == []
        wait_until(lambda: not list(kept.glob("low/*.tmp")))
        assert in_inbox(first) == {hash_file(film_clip)}
        assert state_of_claim(first) is None
        made = help_with(kept)
        assert made is not None
        assert made.name == "c0001"


def test_what_is_stored_too_late_is_removed(
    machines: tuple[Services, Services], film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands still in the middle of storing."""
    first, second = machines
    monkeypatch.setattr(chunk_claim, "BEAT_S", 60.0)
    put = S3Store.put_if_absent

    def slowly(self: S3Store, key: str, source: Path | bytes) -> bool:
        is_new = put(self, key, source)
        let_pass(first, shared_films.HELD_MS + 1)
        wait_until(lambda: state_of_claim(first) is State.VOID)
        return is_new

    with importing(first, film_clip) as kept, FarHelper(second) as helper:
        monkeypatch.setattr(S3Store, "put_if_absent", slowly)
        assert helper.help_with(kept.name, unheard) is None
        assert finished(kept) == []
        assert in_inbox(first) == {hash_file(film_clip)}


@pytest.mark.parametrize("why", ["ended", "in one piece", "dead"])
def test_a_helper_stops_where_nobody_waits_for_it(
    machines: tuple[Services, Services],
    film_clip: Path,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = machines
    monkeypatch.setattr(chunk_claim, "BEAT_S", 0.02)
    begun = Event()

    def encode(_offer: Offer, _part: str, _chunk: Chunk, folder: Path, stop: Event) -> None:
        (folder / "half").write_bytes(b"half")
        begun.set()
        assert stop.wait(PATIENCE_S)
        raise CancelledError

    encode_by(monkeypatch, encode)
    with FarHelper(second) as helper, ThreadPoolExecutor(1) as pool, ExitStack() as stack:
        kept = stack.enter_context(importing(first, film_clip))
        helping = pool.submit(helper.help_with, kept.name, unheard)
        assert begun.wait(PATIENCE_S)
        if why == "ended":
            stack.close()
        elif why == "in one piece":
            withdraw_chunks(kept)
        else:  # Another machine goes on with its job.
            with first.database.write() as connection:
                connection.execute(sa.update(shared_chunk).values(state=State.VOID.value))
        assert helping.result(PATIENCE_S) is None
        assert scratch(second) == [f"{hash_file(film_clip)}.mp4"]
    assert in_inbox(first) == {hash_file(film_clip)}
    assert state_of_claim(first) is None


@pytest.mark.parametrize(
    "fault",
    [
        "no files",
        "not in the inbox",
        "elsewhere",
        "unforeseen",
        "empty",
        "short",
        "another",
        "note",
    ],
)
def test_what_is_no_chunk_is_not_taken(
    machines: tuple[Services, Services],
    film_clip: Path,
    tmp_path: Path,
    fault: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, _ = machines

    def fail(*_: object) -> None:
        raise RuntimeError(fault)

    if fault == "unforeseen":
        monkeypatch.setattr(chunk_sharing, "fetch", fail)
    file = tmp_path / "file"
    file.write_bytes(b"file")
    content = hash_file(file)
    with importing(first, film_clip) as kept:
        offer = read_offer(kept)
        assert offer is not None
        files = {rung_file(rung): content for rung in rungs_of(offer.plan, "low")}
        if fault == "no files":
            files.clear()
        elif fault == "elsewhere":
            first.objects.put_if_absent(inbox_key(content), file)
            files["../outside"] = content
        elif fault in {"empty", "short", "another", "note"}:
            # A whole chunk, but for one thing.
            whole = tmp_path / "whole"
            whole.mkdir()
            encode_offered(offer, "low", offer.plan.chunks[0], whole)
            name = next(iter(files))
            if fault == "short":
                shorter = tmp_path / "shorter"
                shorter.mkdir()
                encode_offered(offer, "low", offer.plan.chunks[-1], shorter)
                (shorter / name).replace(whole / name)
            else:
                other = {"empty": name, "another": "another", "note": DAMAGE_NAME}[fault]
                (whole / other).write_bytes(b"" if fault == "empty" else b"many")
            files = {path.name: hash_file(path) for path in whole.iterdir()}
            for path in whole.iterdir():
                first.objects.put_if_absent(inbox_key(files[path.name]), path)
        with first.database.write() as connection:
            shared_films.ask(connection, "a", kept.name)
        wait_until(lambda: state_of_claim(first) is State.GIVEN)
        with first.database.write() as connection:
            assert shared_films.note_files(connection, "a", files)
            assert shared_films.note_stored(connection, "a")
        # A chunk that was taken has no claim any more.
        wait_until(lambda: state_of_claim(first) not in {State.GIVEN, State.STORED})
        assert state_of_claim(first) is State.VOID
        assert finished(kept) == []
        assert not list(kept.rglob("outside"))
        made = help_with(kept)
        assert made is not None
        assert made.name == "c0001"


def test_a_film_of_which_others_make_no_chunk_is_made_without_them(
    machines: tuple[Services, Services], film_clip: Path
) -> None:
    """They would make the same again and again."""
    first, second = machines
    with importing(first, film_clip) as kept:
        for number in range(chunk_sharing.MOST_REFUSED):
            claim = f"claim{number}"
            wait_until(lambda: found_by(second) == kept.name)
            with first.database.write() as connection:
                shared_films.ask(connection, claim, kept.name)
            wait_until(lambda: state_of_claim(first) is State.GIVEN)
            with first.database.write() as connection:
                assert shared_films.note_files(connection, claim, {"another": "0" * 64})
                assert shared_films.note_stored(connection, claim)
            wait_until(lambda: state_of_claim(first) is State.VOID)
            with first.database.write() as connection:
                shared_films.forget(connection, claim)
        wait_until(lambda: found_by(second) is None)
        assert help_with(kept) is not None


def test_a_film_that_others_cannot_read_is_not_shared(
    machines: tuple[Services, Services], film_clip: Path
) -> None:
    """Its file is on this machine only: `liuying import` without the queue."""
    first, _ = machines
    content = hash_file(film_clip)
    with first.database.write() as connection:
        register_asset(connection, KEY, content, film_clip.name, is_protected=False)
    with (
        offered(first.data_dir, film_clip) as kept,
        holding(first.database, first.objects, KEY) as hold,
        shared_with_machines(first, kept, content, hold),
    ):
        assert not [one for one in threading.enumerate() if one.name == f"sharing {kept.name}"]


def test_a_film_of_the_machine_itself_is_no_other_machines(
    machines: tuple[Services, Services], film_clip: Path
) -> None:
    first, second = machines
    with importing(first, film_clip) as kept:
        assert found_by(first) is None
        assert found_by(second) == kept.name


def test_nothing_is_made_that_would_come_out_otherwise(
    machines: tuple[Services, Services], film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = machines
    with importing(first, film_clip) as kept:
        film = far_film(second.database, kept.name)
        assert film is not None
        assert is_made_alike(film)
        assert not is_made_alike(msgspec.structs.replace(film, offer='{"plan": 1}'))
        monkeypatch.setattr(chunk_run, "ffmpeg_version", lambda: "another")
        assert not is_made_alike(film)
        with monkeypatch.context() as patched:
            patched.setattr("platform.machine", lambda: "another")
            assert found_by(second) is None
        assert found_by(second) == kept.name
        monkeypatch.setattr(far_help, "__version__", "another")
        assert found_by(second) is None


def test_a_film_is_let_go_of_once_its_import_is_over(
    machines: tuple[Services, Services], film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = machines
    encode_by(monkeypatch, lambda *_: None)
    with FarHelper(second) as helper:
        with importing(first, film_clip) as kept:
            helper.help_with(kept.name, unheard)
            helper.let_go_of_ended()
            assert scratch(second) == [f"{hash_file(film_clip)}.mp4"]
        helper.let_go_of_ended()
        assert scratch(second) == []


def test_sharing_goes_on_after_an_unforeseen_error(
    machines: tuple[Services, Services], film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = machines
    failed: list[object] = []

    def part(cache: Path, offer: Offer) -> int | None:
        if not failed:
            failed.append(cache)
            raise RuntimeError
        return untouched_part(cache, offer)

    monkeypatch.setattr(chunk_sharing, "untouched_part", part)
    with importing(first, film_clip):
        assert failed


def test_a_chunk_that_nobody_waits_for_is_taken_from_its_helper(
    machines: tuple[Services, Services], film_clip: Path
) -> None:
    """The import could not note that it does without."""
    first, _ = machines
    with importing(first, film_clip) as kept:
        for claim, state in (("a", State.GIVEN), ("b", State.STORED)):
            with first.database.write() as connection:
                shared_films.ask(connection, claim, kept.name)
                connection.execute(sa.update(shared_chunk).values(state=state.value))
            wait_until(lambda: state_of_claim(first) is State.VOID)
            with first.database.write() as connection:
                shared_films.forget(connection, claim)


def test_a_film_whose_row_is_gone_is_offered_again(
    machines: tuple[Services, Services],
    film_clip: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its import was not heard of for so long that others forgot it."""
    first, second = machines
    monkeypatch.setattr(chunk_sharing, "CONFIRM_S", 0.05)
    with importing(first, film_clip) as kept:
        with first.database.write() as connection:
            connection.execute(sa.delete(shared_film))
        wait_until(lambda: found_by(second) == kept.name)
        # Another import has it now: this one does not take it back.
        with first.database.write() as connection:
            connection.execute(sa.update(asset).values(held_by="another"))
            connection.execute(sa.update(shared_film).values(held_by="another", free_part=7))
        wait_until(lambda: "other machines are not answered" in caplog.text)
        with first.database.read() as connection:
            rows = connection.execute(sa.select(shared_film)).all()
        assert [(one.held_by, one.free_part) for one in rows] == [("another", 7)]


@pytest.mark.parametrize("error", [DiskFullError(), UnreadableError("不在收件箱里")])
def test_a_film_that_cannot_be_fetched_leaves_nothing(
    machines: tuple[Services, Services],
    film_clip: Path,
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = machines

    def fetch(_objects: object, _content: str, target: Path) -> None:
        target.write_bytes(b"half")
        raise error

    with importing(first, film_clip) as kept, FarHelper(second) as helper:
        with monkeypatch.context() as patched:
            patched.setattr(far_help, "fetch", fetch)
            with pytest.raises(type(error)):
                helper.help_with(kept.name, unheard)
        assert scratch(second) == []
        assert [one.name for one in second.layout.helping.iterdir()] == [GATE_NAME]


def test_what_dead_helpers_left_is_swept(
    machines: tuple[Services, Services], film_clip: Path, tmp_path: Path
) -> None:
    first, second = machines
    queue_by_content(first, Item(film_clip), GivenMeta(), look_beside(film_clip))
    source, chunk = hash_file(film_clip), tmp_path / "360.mp4"
    chunk.write_bytes(b"chunk")
    left = second.layout.helping / "0123"
    left.mkdir(parents=True)
    (left / "film.mp4").write_bytes(b"film")
    with first.database.write() as connection:
        shared_films.ask(connection, "a", "film")
        assert shared_films.give(connection, "a", "low", 1)
        assert shared_films.note_files(connection, "a", {"360.mp4": hash_file(chunk)})
    first.objects.put_if_absent(inbox_key(hash_file(chunk)), chunk)
    let_pass(first, shared_films.HELD_MS + 1)
    sweep_far_help(second.database, second.layout, second.objects)
    # A helper that is at it for the last time is not disturbed.
    assert sweep_inbox(second.database, second.objects) == 0
    assert not left.exists()
    let_pass(first, KEPT_MS)
    sweep_far_help(second.database, second.layout, second.objects)
    assert sweep_inbox(second.database, second.objects) == 1
    assert in_inbox(first) == {source}
