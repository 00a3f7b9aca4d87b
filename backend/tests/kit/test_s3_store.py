"""The store over a bucket: what it does besides what every store does, with a real S3 store that is
killed, frozen and started again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import obstore
import pytest

from liuying.http.object_sender import CHUNK
from liuying.kit import object_records, s3_store
from liuying.kit.database import Database
from liuying.kit.object_keys import picture_key
from liuying.kit.object_records import ObjectRecords, ObjectRow, stored_object
from liuying.kit.object_store import (
    ObjectStoreError,
    ReadsAhead,
    chunks_of,
    opened,
    read_object,
)
from liuying.kit.s3_bucket import NO_BUCKET, REFUSED, UNREACHABLE
from liuying.kit.s3_place import S3Place
from liuying.kit.s3_store import PART_BYTES, S3Store
from tests.conftest import new_database
from tests.kit.test_object_store import records_in
from tests.s3_server import S3Server
from tests.waiting import wait_until

PICTURE = picture_key("ab" * 16)
PREFIX = "media/asset000/"


@pytest.fixture(params=["sqlite", "postgresql"])
def records(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ObjectRecords]:
    url = f"sqlite:///{tmp_path / 'rows.db'}"
    if request.param == "postgresql":
        url = new_database(request.getfixturevalue("postgres"))
    database = Database(url)
    stored_object.create(database.engine)
    yield ObjectRecords(database)
    database.close()


@pytest.fixture
def store(s3: S3Server, records: ObjectRecords) -> S3Store:
    return S3Store(s3.place(), records)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[S3Server]:
    """A store that a test may kill."""
    server = S3Server(tmp_path / "own")
    try:
        server.start()
        yield server
    finally:
        server.close()


def made(folder: Path, sizes: dict[str, int]) -> Path:
    """A folder to publish, with files of these sizes."""
    for name, size in sizes.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x" * size)
    return folder


def test_a_large_file_comes_in_parts(store: S3Store, tmp_path: Path) -> None:
    file = tmp_path / "film.mp4"
    file.write_bytes(bytes(range(256)) * (PART_BYTES // 100))
    key = "originals/asset000/film.mp4"
    assert store.put_if_absent(key, file)
    assert not store.put_if_absent(key, file)
    with opened(store, key) as found:
        digest = hashlib.sha256()
        for piece in chunks_of(found):
            digest.update(piece)
        assert found.size == file.stat().st_size > PART_BYTES
    assert digest.digest() == hashlib.sha256(file.read_bytes()).digest()
    assert store.usage() == {"originals": file.stat().st_size}


def test_nothing_is_fetched_beyond_what_is_wanted(
    store: S3Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A segment is a range of a film: what follows it is another's."""
    content = bytes(range(256)) * 8192
    store.put_if_absent(f"{PREFIX}film.mp4", content)
    fetched: list[tuple[int, int]] = []
    fetch = obstore.get_range

    def noted(bucket: Any, key: str, *, start: int, end: int) -> Any:
        fetched.append((start, end))
        return fetch(bucket, key, start=start, end=end)

    monkeypatch.setattr(obstore, "get_range", noted)
    wanted = range(1000, 701_000)
    with opened(store, f"{PREFIX}film.mp4") as found:
        assert isinstance(found, ReadsAhead)
        found.end_reading_at(wanted.stop)
        read = b"".join(
            found.read(place, min(CHUNK, wanted.stop - place)) for place in wanted[::CHUNK]
        )
        assert read == content[wanted.start : wanted.stop]
        assert fetched == [(wanted.start, wanted.stop)]  # in one request, and no more
        assert found.read(0, CHUNK) == content[:CHUNK]


def test_bytes_are_counted_by_rows(store: S3Store, tmp_path: Path) -> None:
    folder = made(tmp_path / "made", {"360/s1.m4s": 5, "360/index.m3u8": 3, "v1.m3u8": 2})
    store.put_folder(PREFIX, folder)
    assert not folder.exists()  # it belonged to the store
    store.put_folder(f"{PREFIX}720/", made(tmp_path / "rest", {"s1.m4s": 7}))
    store.put_if_absent(f"{PREFIX}subtitles/en.vtt", b"WEBVTT")
    assert not store.put_if_absent(f"{PREFIX}subtitles/en.vtt", b"WEBVTT")
    store.put_if_absent(PICTURE, b"CV")
    assert store.usage() == {"360": 8, "media": 2, "720": 7, "subtitles": 6, "enc": 2}
    store.delete(f"{PREFIX}subtitles/en.vtt")
    store.delete_prefix(f"{PREFIX}720/")
    assert store.usage() == {"360": 8, "media": 2, "subtitles": 0, "enc": 2}
    store.delete_prefix(PREFIX)
    assert store.usage() == {"enc": 2}
    assert store.recorded("enc/") == {PICTURE}


def test_playlists_come_last(
    store: S3Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put: list[str] = []
    create = S3Store._create

    def noted(self: S3Store, key: str, source: Path | bytes, size: int | None = None) -> bool:
        put.append(key.removeprefix(PREFIX))
        return create(self, key, source, size)

    monkeypatch.setattr(S3Store, "_create", noted)
    sizes = {"v1.m3u8": 1, "360/index.m3u8": 1, "360/s1.m4s": 1, "360/init.mp4": 1}
    store.put_folder(PREFIX, made(tmp_path / "made", sizes))
    assert put[2:] == ["360/index.m3u8", "v1.m3u8"]


def test_a_picture_that_is_put_while_it_is_removed_stays(
    store: S3Store, records: ObjectRecords
) -> None:
    """Whoever puts it waits until it is gone, and puts it anew."""
    store.put_if_absent(PICTURE, b"CV")
    removal = records.begin_removal(PICTURE, time.time() + 1)
    assert removal is not None
    assert records.begin_removal(PICTURE, time.time() + 1) is None  # one of two removes it
    with ThreadPoolExecutor(1) as pool:
        again = pool.submit(store.put_if_absent, PICTURE, b"CV")
        store._remove([PICTURE])
        assert not again.done()
        records.end_removal(PICTURE, removal)
        assert again.result()
    assert read_object(store, PICTURE) == b"CV"


def test_who_died_while_removing_is_not_waited_for(
    store: S3Store, records: ObjectRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put_if_absent(PICTURE, b"CV")
    assert records.begin_removal(PICTURE, time.time() + 1) is not None
    monkeypatch.setattr(s3_store, "WAIT_S", 0.0)
    with pytest.raises(ObjectStoreError):
        store.put_if_absent(PICTURE, b"CV")
    monkeypatch.setattr(object_records, "REMOVAL_S", -1.0)
    assert not store.put_if_absent(PICTURE, b"CV")
    assert not store.delete(PICTURE, stored_before=time.time() - 60)


class Machines:
    """Several on one PostgreSQL and one bucket, by how many seconds their clocks are ahead."""

    def __init__(self, url: str, place: S3Place, monkeypatch: pytest.MonkeyPatch) -> None:
        self._real = (time.time, time.time_ns)
        self._monkeypatch = monkeypatch
        self._databases: dict[int, Database] = {}
        self._stores: dict[int, S3Store] = {}
        for ahead in (-300, 0, 300):
            self._set(ahead)
            self._databases[ahead] = Database(url)
            records = ObjectRecords(self._databases[ahead])
            self._stores[ahead] = S3Store(place, records)
            stored_object.create(self._databases[ahead].engine, checkfirst=True)

    def _set(self, ahead: int) -> None:
        clock, clock_ns = self._real
        self._monkeypatch.setattr(time, "time", lambda: clock() + ahead)
        self._monkeypatch.setattr(time, "time_ns", lambda: clock_ns() + ahead * 10**9)

    def on(self, ahead: int) -> tuple[S3Store, ObjectRecords]:
        """What one of them has, with its clock."""
        self._set(ahead)
        return self._stores[ahead], self._stores[ahead]._records

    def close(self) -> None:
        """Shut them down."""
        for one in self._databases.values():
            one.close()


@pytest.fixture
def machines(postgres: str, s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machines]:
    opened = Machines(new_database(postgres), s3.place(), monkeypatch)
    yield opened
    opened.close()


@pytest.mark.parametrize(("writer", "remover"), [(-300, 0), (0, 300), (300, -300)])
def test_machines_clocks_may_differ(machines: Machines, writer: int, remover: int) -> None:
    """The age of an object is the same on each of them."""
    for _ in range(2):
        machines.on(writer)[0].put_if_absent(PICTURE, b"CV")
        store, _ = machines.on(remover)
        assert not store.delete(PICTURE, stored_before=store.now() - 60)  # just stored
        assert store.recorded_since(store.now() - 60) == {PICTURE}
        assert store.delete(PICTURE, stored_before=store.now() + 1)
        writer, remover = remover, writer


@pytest.mark.parametrize(("writer", "remover"), [(-300, 0), (300, 0), (300, -300)])
def test_who_removes_is_waited_for_on_each_machine(
    machines: Machines, writer: int, remover: int
) -> None:
    machines.on(writer)[0].put_if_absent(PICTURE, b"CV")
    store, records = machines.on(remover)
    removal = records.begin_removal(PICTURE, store.now() + 1)
    assert removal is not None
    _, others = machines.on(writer)
    assert not others.claim([ObjectRow(PICTURE, 2)])
    assert others.unremoved("enc/") == set()
    machines.on(remover)[1].end_removal(PICTURE, removal)
    assert machines.on(writer)[1].claim([ObjectRow(PICTURE, 2)])


def test_without_rows_the_time_of_the_bucket_counts(store: S3Store, records: ObjectRecords) -> None:
    """A database that was restored knows nothing of what was stored since."""
    store.put_if_absent(PICTURE, b"CV")
    records.forget_prefix("enc/")
    assert not store.delete(PICTURE, stored_before=time.time() - 60)
    assert read_object(store, PICTURE) == b"CV"
    assert store.delete(PICTURE, stored_before=time.time() + 2)
    assert store.open(PICTURE) is None
    assert store.recorded("enc/") == set()


def test_what_is_wrong_is_said(s3: S3Server, records: ObjectRecords) -> None:
    wrong = {
        REFUSED: {"secret_key": "wrong"},
        NO_BUCKET: {"bucket": "there-is-none"},
        UNREACHABLE: {"endpoint": "http://127.0.0.1:9"},
    }
    for message, change in wrong.items():
        store = S3Store(msgspec.structs.replace(s3.place(), **change), records)
        with pytest.raises(ObjectStoreError) as refused:
            store.require_access()
        assert str(refused.value).startswith(message)
        assert "wrong" not in str(refused.value)


def test_nothing_acknowledged_is_lost_by_kill_9(own: S3Server, tmp_path: Path) -> None:
    """What was not acknowledged may be there or not; never half of it."""
    store = S3Store(own.place(), records_in(tmp_path))
    body = bytes(range(256)) * 800
    kept: list[str] = []

    def write(writer: int) -> None:
        with suppress(ObjectStoreError):
            for number in count():
                key = f"media/asset000/{writer}/{number}.m4s"
                store.put_if_absent(key, body)
                kept.append(key)

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, writer) for writer in range(4)]
        while len(kept) < 200:
            assert not any(one.done() for one in writers)
        own.kill()
        for one in writers:
            one.result()
    with pytest.raises(ObjectStoreError):
        store.open(kept[0])
    own.start()
    for key in kept:
        assert read_object(store, key) == body
    assert {one.size for one in store.objects("media/asset000/")} == {len(body)}


def test_files_of_two_do_not_mix_in_a_folder(
    own: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who stood still stores one of his segments when another has begun with hers: hers is
    refused rather than put together with his.
    """
    place, records = own.place(), records_in(tmp_path)
    hers, his = S3Store(place, records), S3Store(place, records)
    draft = tmp_path / "720"
    draft.mkdir()
    for number in range(3):
        (draft / f"s{number}.m4s").write_bytes(b"hers")
    claim = S3Store._claim

    def meanwhile(self: S3Store, rows: Sequence[ObjectRow]) -> None:
        claim(self, rows)
        if self is hers:
            his.put_if_absent("media/asset000/720/s1.m4s", b"his")

    monkeypatch.setattr(S3Store, "_claim", meanwhile)
    with pytest.raises(FileExistsError):
        hers.put_folder("media/asset000/720/", draft)
    assert read_object(hers, "media/asset000/720/s1.m4s") == b"his"
    hers.delete_prefix("media/asset000/720/")
    monkeypatch.setattr(S3Store, "_claim", claim)
    hers.put_folder("media/asset000/720/", draft)
    # What is complete stays hers.
    assert not his.put_if_absent("media/asset000/720/s1.m4s", b"his")
    assert read_object(hers, "media/asset000/720/s1.m4s") == b"hers"


def test_a_frozen_store_is_given_up(
    own: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No request waits for ever; when the store goes on, so do we."""
    monkeypatch.setattr(s3_store, "READ_S", 0.5)
    monkeypatch.setattr(s3_store, "READ_RETRY_S", 0.0)
    store = S3Store(own.place(), records_in(tmp_path))
    store.put_if_absent(PICTURE, b"CV")

    def is_read() -> bool:
        # A store that has just gone on may need longer than this client waits.
        with suppress(ObjectStoreError):
            return read_object(store, PICTURE) == b"CV"
        return False

    own.freeze()
    try:
        with pytest.raises(ObjectStoreError):
            store.open(PICTURE)
        assert store.failures == {"away": 1}
    finally:
        own.thaw()
    wait_until(is_read)
