"""What every object store does, asked of each; and what the one over a folder does besides."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from liuying.kit.database import Database
from liuying.kit.folder_store import FolderStore
from liuying.kit.object_keys import original_prefix, picture_key
from liuying.kit.object_records import ObjectRecords, stored_object
from liuying.kit.object_store import (
    InvalidKeyError,
    ObjectStore,
    check_key,
    local_path,
    opened,
    read_object,
)
from liuying.kit.s3_store import S3Store
from liuying.kit.storage_layout import StorageLayout
from tests.memory_store import MemoryStore
from tests.s3_server import S3Server
from tests.swift_server import SwiftServer, missing

KEY, PREFIX = "media/public/asset000/360/index.m3u8", "media/public/asset000/"
LONG_AGO = 1_000_000_000.0
# A new store's name stands here, and what makes one in `made_store`.
STORES = ("folder", "memory", "s3", "swift")


def made_store(kind: str, folder: Path, request: pytest.FixtureRequest) -> ObjectStore:
    """An empty store."""
    if kind == "folder":
        return FolderStore(StorageLayout(folder / "data"))
    if kind == "memory":
        return MemoryStore()
    server: S3Server | SwiftServer = request.getfixturevalue(kind)
    return S3Store(server.place(), records_in(folder))


def records_in(folder: Path) -> ObjectRecords:
    """The rows of a store, in a database of their own."""
    database = Database(f"sqlite:///{folder / 'rows.db'}")
    stored_object.create(database.engine, checkfirst=True)
    return ObjectRecords(database)


@pytest.fixture(scope="session")
def swift() -> Iterator[SwiftServer]:
    """A second S3 store, which knows no conditional writes."""
    if missing():
        pytest.skip(missing())
    # Not in memory: some kernels have no extended attributes there.
    with TemporaryDirectory(prefix="liuying-swift-", dir="/var/tmp") as folder:
        server = SwiftServer(Path(folder))
        try:
            server.start()
            yield server
        finally:
            server.close()


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    return made_store(request.param, tmp_path, request)


@pytest.fixture
def folder(tmp_path: Path) -> FolderStore:
    return FolderStore(StorageLayout(tmp_path / "data"))


def keys(store: ObjectStore, prefix: str = "media/") -> list[str]:
    return sorted(one.key for one in store.objects(prefix))


def test_what_is_put_is_read(store: ObjectStore, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"of a file")
    assert store.put_if_absent(KEY, b"of bytes")
    assert store.put_if_absent("originals/asset000/海边 一天.mp4", tmp_path / "file")
    assert read_object(store, KEY) == b"of bytes"
    assert read_object(store, "originals/asset000/海边 一天.mp4") == b"of a file"


def test_the_first_stays(store: ObjectStore, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"third")
    assert store.put_if_absent(KEY, b"first")
    assert not store.put_if_absent(KEY, b"second")
    assert not store.put_if_absent(KEY, tmp_path / "file")
    assert read_object(store, KEY) == b"first"
    assert keys(store) == [KEY]


def test_one_of_many_is_first(store: ObjectStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        firsts = list(pool.map(lambda number: store.put_if_absent(KEY, b"%d" % number), range(64)))
    assert sum(firsts) == 1
    assert read_object(store, KEY) == b"%d" % firsts.index(True)
    assert keys(store) == [KEY]


def test_absent(store: ObjectStore) -> None:
    assert store.open(KEY) is None
    assert not store.delete(KEY)
    assert not store.delete(KEY, stored_before=time.time())
    store.delete_prefix(PREFIX)
    assert not store.has_any(PREFIX)
    assert store.children(PREFIX) == set()
    assert keys(store) == []
    assert store.delete_unfinished(PREFIX, time.time()) == 0
    assert local_path(store, KEY) is None
    with pytest.raises(FileNotFoundError):
        read_object(store, KEY)


def test_a_part_of_a_key_is_no_object(store: ObjectStore) -> None:
    store.put_if_absent(KEY, b"0")
    assert store.open(PREFIX.removesuffix("/")) is None
    assert not store.delete(PREFIX.removesuffix("/"))
    assert store.open(f"{KEY}/deeper") is None
    assert not store.delete(f"{KEY}/deeper")
    assert not store.has_any(f"{KEY}/")


def test_prefixes_count_whole_parts(store: ObjectStore) -> None:
    store.put_if_absent("media/public/asset000/a", b"")
    store.put_if_absent("media/public/asset0001/b", b"")
    assert keys(store, PREFIX) == ["media/public/asset000/a"]
    assert store.children("media/public/") == {"asset000", "asset0001"}
    assert store.has_any("media/public/asset000/")
    assert not store.has_any("media/public/asset00/")
    store.delete_prefix(PREFIX)
    assert keys(store) == ["media/public/asset0001/b"]


def test_removing_is_repeatable(store: ObjectStore) -> None:
    store.put_if_absent(KEY, b"0")
    assert store.delete(KEY)
    assert not store.delete(KEY)
    assert store.open(KEY) is None
    assert store.put_if_absent(KEY, b"1")
    assert read_object(store, KEY) == b"1"


def test_what_was_put_again_is_fresh(store: ObjectStore) -> None:
    key = picture_key("ab" * 16)
    store.put_if_absent(key, b"picture")
    before = time.time() + 1e-3
    assert store.delete(key, stored_before=before)
    store.put_if_absent(key, b"picture")
    while time.time() < before:
        pass
    store.put_if_absent(key, b"picture")
    assert not store.delete(key, stored_before=LONG_AGO)
    assert read_object(store, key) == b"picture"
    assert next(store.objects("enc/")).stored_at > LONG_AGO


def test_what_is_open_is_read_to_its_end(store: ObjectStore) -> None:
    """Or not at all, where the store is on the other side of a network."""
    store.put_if_absent(KEY, b"0123456789")
    with opened(store, KEY) as found:
        store.delete(KEY)
        assert found.size == 10
        if isinstance(store, S3Store):
            with pytest.raises(FileNotFoundError):
                found.read(4, 3)
        else:
            assert (found.read(4, 3), found.read(8, 9)) == (b"456", b"89")


def test_a_listing_says_size_and_moment(store: ObjectStore) -> None:
    before = store.now() - 1
    store.put_if_absent(KEY, b"0123")
    (found,) = store.objects(PREFIX)
    assert (found.key, found.size) == (KEY, 4)
    assert before < found.stored_at < store.now() + 1


def made(tmp_path: Path) -> Path:
    """A folder to publish."""
    made = tmp_path / "made"
    (made / "360").mkdir(parents=True)
    (made / "360" / "s1.m4s").write_bytes(b"segment")
    (made / "v1.m3u8").write_bytes(b"#EXTM3U")
    return made


def test_a_folder_is_put_whole(store: ObjectStore, tmp_path: Path) -> None:
    store.put_folder(PREFIX, made(tmp_path))
    assert keys(store) == [f"{PREFIX}360/s1.m4s", f"{PREFIX}v1.m3u8"]
    assert read_object(store, f"{PREFIX}360/s1.m4s") == b"segment"


def test_a_folder_is_put_once(store: ObjectStore, tmp_path: Path) -> None:
    store.put_if_absent(f"{PREFIX}v1.m3u8", b"first")
    with pytest.raises(FileExistsError):
        store.put_folder(PREFIX, made(tmp_path))
    assert keys(store) == [f"{PREFIX}v1.m3u8"]
    assert read_object(store, f"{PREFIX}v1.m3u8") == b"first"


HOSTILE = [
    "",
    "/",
    "media",
    "media/",
    "secrets.json",
    "liuying.db",
    "jobs/asset000/x",
    "../x",
    "media/../secrets.json",
    "media/public/../../secrets.json",
    "media/public/..",
    "media/public/.",
    "media/./public/x",
    "media//public/x",
    "/etc/passwd",
    "//media/public/x",
    "media/public/a\0.m4s",
    "media/public/a\n.m4s",
    "media\\public\\x",
    "media/public\\..\\x",
    "media/public/.hidden",
    "enc/ab/.draft",
    "media/public/\ud800",
    "MEDIA/public/x",
    "media /public/x",
    "media/" + "x/" * 600 + "x",
]


@pytest.mark.parametrize("key", HOSTILE)
def test_hostile_keys_are_refused(store: ObjectStore, key: str, tmp_path: Path) -> None:
    (tmp_path / "secrets.json").write_bytes(b"secret")
    for asked in (store.open, store.delete, lambda key: store.put_if_absent(key, b"")):
        with pytest.raises(InvalidKeyError):
            asked(key)
    if key != "media/":
        for listed in (store.delete_prefix, store.has_any, store.children):
            with pytest.raises(InvalidKeyError):
                listed(key)
        with pytest.raises(InvalidKeyError):
            list(store.objects(key))
        with pytest.raises(InvalidKeyError):
            store.delete_unfinished(key, 0)
    assert (tmp_path / "secrets.json").read_bytes() == b"secret"


@given(key=some.text(max_size=40) | some.from_regex(r"media/[./a-z\\\x00]{1,20}", fullmatch=True))
def test_no_key_leaves_its_area(key: str) -> None:
    try:
        check_key(key)
    except InvalidKeyError:
        return
    root = Path("/data")
    for area in ("media", "enc", "originals", "inbox"):
        if Path(os.path.normpath(root / key)).is_relative_to(root / area):
            return
    raise AssertionError(key)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    content=some.binary(max_size=64),
    offset=some.integers(0, 80),
    length=some.integers(0, 80),
)
@pytest.mark.parametrize("kind", STORES[:3])  # a hundred examples take Swift a minute
def test_ranges(
    kind: str,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    content: bytes,
    offset: int,
    length: int,
) -> None:
    store = made_store(kind, tmp_path_factory.mktemp("ranges"), request)
    store.put_if_absent(KEY, content)
    with opened(store, KEY) as found:
        assert found.size == len(content)
        assert found.read(offset, length) == content[offset : offset + length]


# The adapter over the data folder.


def test_keys_are_paths(folder: FolderStore, tmp_path: Path) -> None:
    folder.put_if_absent(KEY, b"0")
    folder.put_if_absent(picture_key("0123456789abcdef" * 2), b"1")
    data = tmp_path / "data"
    assert (data / "media/public/asset000/360/index.m3u8").read_bytes() == b"0"
    assert (data / "enc/01/0123456789abcdef0123456789abcdef.bin").read_bytes() == b"1"
    assert local_path(folder, KEY) == data / KEY


def test_a_prefix_moves(folder: FolderStore, tmp_path: Path) -> None:
    assert not folder.move_prefix(PREFIX, "media/protected/asset000/")
    folder.put_folder(PREFIX, made(tmp_path))
    assert folder.move_prefix(PREFIX, "media/protected/asset000/")
    assert keys(folder) == [
        "media/protected/asset000/360/s1.m4s",
        "media/protected/asset000/v1.m3u8",
    ]
    assert not folder.has_any(PREFIX)
    assert not folder.move_prefix(PREFIX, "media/protected/asset000/")
    assert read_object(folder, "media/protected/asset000/360/s1.m4s") == b"segment"


def test_originals_are_the_owners(folder: FolderStore, tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"film")
    os.utime(tmp_path / "film.mp4", (LONG_AGO, LONG_AGO))
    key = f"{original_prefix('asset000')}film.mp4"
    assert folder.put_if_absent(key, tmp_path / "film.mp4")
    assert not folder.put_if_absent(key, tmp_path / "film.mp4")
    kept = tmp_path / "data" / key
    assert kept.samefile(tmp_path / "film.mp4")
    assert kept.stat().st_mtime == LONG_AGO
    assert [path.stat().st_mode & 0o077 for path in (kept.parent, kept.parent.parent)] == [0, 0]


def test_links_are_no_objects(folder: FolderStore, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    folder.put_if_absent(KEY, b"0")
    link = tmp_path / "data" / PREFIX / "link.m4s"
    link.symlink_to(tmp_path / "secret")
    assert folder.open(f"{PREFIX}link.m4s") is None
    assert local_path(folder, f"{PREFIX}link.m4s") is None
    assert not folder.delete(f"{PREFIX}link.m4s")
    assert keys(folder) == [KEY]


@pytest.mark.parametrize("number", [errno.EXDEV, errno.EPERM])
def test_without_links_to_the_source_it_is_copied(
    folder: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    source, link = made(tmp_path) / "v1.m3u8", Path.hardlink_to

    def refuse(path: Path, target: Path) -> None:
        if target == source:
            raise OSError(number, os.strerror(number))
        link(path, target)

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert folder.put_if_absent(KEY, source)
    assert not (tmp_path / "data" / KEY).samefile(source)
    assert read_object(folder, KEY) == b"#EXTM3U"


def test_a_file_system_without_links(folder: FolderStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert folder.put_if_absent(KEY, b"0")
    assert not folder.put_if_absent(KEY, b"1")
    assert read_object(folder, KEY) == b"0"


def test_a_folder_of_another_file_system_is_copied(
    folder: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, rename = made(tmp_path), Path.rename

    def refuse(path: Path, target: Path) -> Path:
        if path == source:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    folder.put_folder(PREFIX, source)
    assert keys(folder) == [f"{PREFIX}360/s1.m4s", f"{PREFIX}v1.m3u8"]
    assert not source.exists()


def test_a_full_disk_leaves_nothing(
    folder: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder.put_if_absent(f"{PREFIX}360/other", b"0")
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        folder.put_if_absent(KEY, b"0")
    assert [path.name for path in (tmp_path / "data" / PREFIX / "360").iterdir()] == ["other"]


def test_what_is_put_is_on_disk(
    folder: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced, fsync = [], os.fsync

    def noted(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    folder.put_if_absent(KEY, b"0")
    data = tmp_path / "data"
    # New folders from the outside in, the file, and its name.
    *folders, file, parent = synced
    assert folders == [tmp_path, data, data / "media", data / "media/public", data / PREFIX]
    assert (file.parent, file.name.startswith(".")) == (data / PREFIX / "360", True)
    assert parent == data / PREFIX / "360"


KILLED = """
import os, signal, sys
from pathlib import Path
from liuying.kit import folder_store
from liuying.kit.s3_store import S3Store
from liuying.kit.storage_layout import StorageLayout

def die(*_arguments, **_named):
    os.kill(os.getpid(), signal.SIGKILL)

data, holder, step, source = sys.argv[1:]
store = folder_store.FolderStore(StorageLayout(Path(data)))
setattr({"os": os, "path": Path, "module": folder_store}[holder], step, die)
if source:
    store.put_folder("media/public/asset000/", Path(source))
else:
    store.put_if_absent("media/public/asset000/360/index.m3u8", b"whole")
"""


@pytest.mark.parametrize(
    ("holder", "step", "is_folder"),
    [
        ("os", "fsync", False),
        ("path", "hardlink_to", False),
        ("path", "rename", True),
        ("module", "sync_tree", True),
    ],
)
def test_a_killed_put_leaves_nothing_visible(
    folder: FolderStore, tmp_path: Path, holder: str, step: str, is_folder: bool
) -> None:
    (tmp_path / "data" / PREFIX / "360" if not is_folder else tmp_path / "data").mkdir(parents=True)
    source = made(tmp_path)
    arguments = [str(tmp_path / "data"), holder, step, str(source) if is_folder else ""]
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], timeout=30, check=False)
    assert killed.returncode == -9
    assert keys(folder) == []
    assert folder.delete_unfinished("media/", LONG_AGO) == 0
    left = folder.delete_unfinished("media/", time.time() + 1)
    assert left == (0 if is_folder else 1)
    assert [path for path in (tmp_path / "data").rglob("*") if path.is_file()] == []
    if is_folder:
        folder.put_folder(PREFIX, source)
    else:
        assert folder.put_if_absent(KEY, b"whole")


def test_what_an_older_version_left_goes_with_its_asset(
    folder: FolderStore, tmp_path: Path
) -> None:
    folder.put_if_absent(KEY, b"0")
    (tmp_path / "data/media/public/.asset000.draft").mkdir()
    assert folder.children("media/public/") == {"asset000"}
    folder.delete_prefix(PREFIX)
    assert list((tmp_path / "data/media/public").iterdir()) == []
