"""Objects of an installation in another store: all of them, byte by byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.installation import tables
from liuying.kit.database import Database
from liuying.kit.folder_store import FolderStore
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_records import ObjectRecords
from liuying.kit.object_store import ObjectStore, read_object
from liuying.kit.s3_store import S3Store
from liuying.kit.storage_layout import StorageLayout
from liuying.workflows.moving_files import MovedFilesError, move_files
from tests.s3_server import S3Server

ASSETS = {"open0001": MediaPlace.OPEN, "locked01": MediaPlace.PROTECTED}
OBJECTS = {
    "media/public/open0001/360/index.m3u8": b"#EXTM3U",
    "media/public/open0001/360/0.m4s": bytes(range(256)) * 9000,
    "media/public/open0001/empty.vtt": b"",
    "media/protected/locked01/master.m3u8": b"#EXTM3U 2",
    "enc/ab/abcd.bin": b"\x00\xff",
    "originals/open0001/影片 名.mp4": b"film",
    f"inbox/{'a' * 64}": b"waits",
}


def contents(store: ObjectStore) -> dict[str, bytes]:
    areas = (*store.media.areas, "enc", "originals", "inbox")
    found = [one.key for area in areas for one in store.objects(f"{area}/")]
    return {key: read_object(store, key) for key in found}


def say_nothing(_size: int) -> None:
    """Nobody looks."""


def folder_in(path: Path) -> FolderStore:
    path.mkdir()
    return FolderStore(StorageLayout(path))


@pytest.fixture
def source(tmp_path: Path) -> FolderStore:
    store = folder_in(tmp_path / "source")
    for key, content in OBJECTS.items():
        store.put_if_absent(key, content)
    return store


@pytest.fixture
def bucket(s3: S3Server, tmp_path: Path) -> S3Store:
    database = Database(f"sqlite:///{tmp_path / 'records.db'}")
    tables.metadata.create_all(database.engine)
    return S3Store(s3.place(), ObjectRecords(database))


def test_files_come_back_from_a_bucket_as_they_were(
    source: FolderStore, bucket: S3Store, tmp_path: Path
) -> None:
    back = folder_in(tmp_path / "back")
    copied = move_files(source, bucket, ASSETS, tmp_path, say_nothing)
    assert (copied.objects, copied.bytes) == (len(OBJECTS), sum(map(len, OBJECTS.values())))
    assert read_object(bucket, "media/locked01/master.m3u8") == b"#EXTM3U 2"

    assert move_files(bucket, back, ASSETS, tmp_path, say_nothing) == copied
    assert contents(back) == OBJECTS == contents(source)


@pytest.mark.parametrize("point", range(1, len(OBJECTS) + 1))
def test_a_move_that_breaks_off_goes_on(source: FolderStore, tmp_path: Path, point: int) -> None:
    target, left = folder_in(tmp_path / "target"), point

    class KilledError(Exception):
        pass

    def break_off(_size: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KilledError

    with pytest.raises(KilledError):
        move_files(source, target, ASSETS, tmp_path, break_off)
    assert len(contents(target)) == point
    move_files(source, target, ASSETS, tmp_path, say_nothing)
    assert contents(target) == OBJECTS


def test_another_object_of_the_same_key_is_refused(source: FolderStore, tmp_path: Path) -> None:
    target = folder_in(tmp_path / "target")
    target.put_if_absent("enc/ab/abcd.bin", b"\x00\xfe")
    with pytest.raises(MovedFilesError, match=r"enc/ab/abcd\.bin"):
        move_files(source, target, ASSETS, tmp_path, say_nothing)
    assert read_object(target, "enc/ab/abcd.bin") == b"\x00\xfe"
