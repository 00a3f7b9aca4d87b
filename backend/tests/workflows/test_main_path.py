"""The main path by the commands and the server as an operator starts them: with the objects in a
bucket, on SQLite and on PostgreSQL, and in the data folder on PostgreSQL.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from liuying.kit.database import Database
from liuying.kit.folder_store import FolderStore
from liuying.kit.object_keys import AREAS
from liuying.kit.object_records import ObjectRecords
from liuying.kit.object_store import ObjectStore
from liuying.kit.s3_bucket import NO_BUCKET, REFUSED
from liuying.kit.s3_place import S3Place
from liuying.kit.s3_store import S3Store
from liuying.kit.storage_layout import StorageLayout
from liuying.media.packaged import Part, read_playlist
from tests.s3_server import S3Server
from tests.server_process import server
from tests.waiting import wait_until

PATIENCE_S = 30.0
# Database and store. SQLite with the data folder is what nearly every other test has.
BUCKETS = ("sqlite-s3", "postgresql-s3")


class Installation(msgspec.Struct):
    """Settings of an installation, and its store as a bystander sees it."""

    environment: dict[str, str]
    objects: ObjectStore

    def run(self, *arguments: str | Path) -> Any:
        """Call `liuying`; gives what it says as JSON."""
        done = subprocess.run(
            [sys.executable, "-m", "liuying", *map(str, arguments), "--json"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return msgspec.json.decode(done.stdout)

    def keys(self) -> list[str]:
        """All objects."""
        return [one.key for area in AREAS for one in self.objects.objects(f"{area}/")]


@pytest.fixture(params=BUCKETS)
def combination(request: pytest.FixtureRequest) -> tuple[str, str]:
    database, _, store = str(request.param).partition("-")
    return database, store


@pytest.fixture
def engine(combination: tuple[str, str]) -> str:
    return combination[0]


@pytest.fixture
def installation(
    combination: tuple[str, str], s3: S3Server, database_url: str, tmp_path: Path
) -> Iterator[Installation]:
    data_dir = tmp_path / "data"
    given = s3.settings() if combination[1] == "s3" else {}
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(data_dir),
        "LIUYING_DATABASE_URL": database_url,
        "LIUYING_WORKERS": "0",
        "PORT": "0",
        **{f"LIUYING_{name.upper()}": value for name, value in given.items()},
    }
    if not given:
        yield Installation(environment, FolderStore(StorageLayout(data_dir)))
        return
    database = Database(database_url or f"sqlite:///{data_dir / 'liuying.db'}")
    yield Installation(environment, S3Store(place_of(given), ObjectRecords(database)))
    database.close()
    left = {path.name for path in data_dir.iterdir()}
    assert left.isdisjoint(AREAS)  # nothing of it was ever a file here


def place_of(given: dict[str, str]) -> S3Place:
    """The bucket of some settings."""
    bucket, _, prefix = given["store"].removeprefix("s3://").partition("/")
    return S3Place(
        bucket=bucket,
        prefix=prefix,
        endpoint=given["s3_endpoint"],
        access_key=given["s3_access_key"],
        secret_key=given["s3_secret_key"],
    )


@pytest.mark.parametrize("combination", [*BUCKETS, "postgresql-folder"], indirect=True)
def test_the_main_path(installation: Installation, tall_clip: Path, tmp_path: Path) -> None:
    video_id = installation.run("import", tall_clip, "--title", "海边", "--category", "海")[
        "video_id"
    ]
    with (
        server(installation.environment) as (_process, address),
        httpx.Client(base_url=address, timeout=PATIENCE_S) as client,
    ):
        assert [one["id"] for one in listed(client)] == [video_id]
        playlist = client.get(f"/api/videoplay/{video_id}").json()["rescont"]["videopath"]
        segments = played(client, playlist)
        cover = listed(client)[0]["coverbase64"]["url"]
        assert client.get(cover).content.startswith(b"CV")

        installation.run("video", "edit", str(video_id), "--category", "分享解锁")
        for path in (playlist, *segments):
            assert client.get(path).status_code == 403, path
        installation.run("video", "edit", str(video_id), "--category", "海")
        assert played(client, playlist) == segments

        if not installation.environment["LIUYING_DATABASE_URL"]:  # else: tests/cli/test_backup.py
            backed_up(installation, tmp_path)
        installation.run("video", "remove", str(video_id), "--yes")
        for path in (playlist, *segments):
            assert client.get(path).status_code == 404, path
        wait_until(lambda: not listed(client))
        installation.run("video", "restore", str(video_id))
        wait_until(lambda: bool(listed(client)))
        assert client.get(playlist).status_code == 200
        installation.run("video", "purge", str(video_id), "--yes")
    left = installation.keys()
    # Pictures are left to the sweep for a while: somebody may be about to show them.
    assert all(key.startswith("enc/") for key in left)


def listed(client: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/videosort/0").json()["rescont"]["data"]
    return found


def played(client: httpx.Client, master: str) -> list[str]:
    """Read every segment of every rendition, by ranges; gives the addresses of the files."""
    files = []
    for rendition in lines(client, master):
        playlist = read_playlist(client.get(rendition).text)
        file = str(httpx.URL(rendition).join(playlist.init.name))
        whole = client.get(file)
        assert (whole.status_code, whole.headers["content-type"]) == (200, "video/mp4")
        etag = whole.headers["etag"]
        for part, kind in (
            (playlist.init, b"ftyp"),
            *((one, b"moof") for one in playlist.segments),
        ):
            assert part.end is not None
            asked = {"range": f"bytes={part.offset}-{part.end - 1}", "if-range": etag}
            answer = client.get(file, headers=asked)
            assert (answer.status_code, answer.headers["etag"]) == (206, etag)
            assert answer.content == whole.content[part.offset : part.end]
            assert answer.content[4:8] == kind
        assert playlist.parts == [Part(playlist.init.name, 0, len(whole.content))]
        assert client.get(file, headers={"if-none-match": etag}).status_code == 304
        files.append(file)
    assert files
    return files


def lines(client: httpx.Client, playlist: str) -> list[str]:
    """What a playlist names, as addresses."""
    text = client.get(playlist).raise_for_status().text
    folder = playlist.rpartition("/")[0]
    return [f"{folder}/{one}" for one in re.findall(r"^[^#\n].*$", text, re.MULTILINE)]


def backed_up(installation: Installation, folder: Path) -> None:
    """A backup leaves the bucket to the bucket, unless it is told otherwise."""
    names = {}
    for option in ((), ("--with-objects",)):
        file = folder / f"backup{len(option)}.tar"
        said = installation.run("backup", file, *option)
        assert (said["missing"], said["objects"]) == ([], bool(option))
        with tarfile.open(file) as archive:
            names[bool(option)] = {name.split("/")[0] for name in archive.getnames()}
    assert names[True] - names[False] == {"media", "enc"}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"LIUYING_S3_SECRET_KEY": "wrong"}, REFUSED),
        ({"LIUYING_STORE": "s3://there-is-none"}, NO_BUCKET),
    ],
)
def test_a_wrong_store_is_told_at_the_start(
    installation: Installation, change: dict[str, str], sentence: str
) -> None:
    installation.run("migrate")
    for command in ("serve", "worker"):
        done = subprocess.run(
            [sys.executable, "-m", "liuying", command],
            env=installation.environment | change,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (2, f"{sentence}\n")


def test_it_starts_while_the_store_is_away(installation: Installation) -> None:
    installation.run("migrate")
    away = installation.environment | {"LIUYING_S3_ENDPOINT": "http://127.0.0.1:9"}
    with (
        server(away) as (_process, address),
        httpx.Client(base_url=address, timeout=PATIENCE_S) as client,
    ):
        assert client.get("/api/config").status_code == 200
