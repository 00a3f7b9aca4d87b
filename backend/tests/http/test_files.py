"""Media and encrypted pictures: ranges, conditions, and nothing outside the folder."""

from __future__ import annotations

import errno
from collections.abc import Iterator

import msgspec
import pytest

from liuying.core.playback.signed_urls import sign_prefix
from liuying.installation.services import Services
from liuying.kit.file_answers import ByteRange, parse_range
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import LocalFiles
from liuying.workflows.catalogue_rows import register_asset
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.memory_store import MemoryStore

BODY = bytes(range(256)) * 4096  # more than one chunk
KEY, LOCKED = "abcdefgh12345678abcd", "lockedlocked12345678"
SEGMENT = f"/media/{KEY}/360/s00001.m4s"


@pytest.fixture(params=["own", "memory"])
def client(services: Services, request: pytest.FixtureRequest) -> Iterator[Client]:
    if request.param == "memory":
        services = msgspec.structs.replace(services, objects=MemoryStore())
    put, media = services.objects.put_if_absent, services.objects.media
    put(media.key(f"{KEY}/360/s00001.m4s", MediaPlace.OPEN), BODY)
    put(media.key(f"{KEY}/v1.m3u8", MediaPlace.OPEN), b"#EXTM3U\n")
    put(media.key(f"{KEY}/empty.m4s", MediaPlace.OPEN), b"")
    put(media.key(f"{LOCKED}/v1.m3u8", MediaPlace.PROTECTED), b"#EXTM3U\n")
    with services.database.write() as connection:
        for key in (KEY, LOCKED):
            register_asset(connection, key, f"content of {key}", "a.mp4", key == LOCKED)
    put("enc/01/0123456789abcdef0123456789abcdef.bin", b"CV encrypted")
    (services.data_dir / "secret.m4s").write_text("secret")
    if isinstance(services.objects, LocalFiles):
        link = services.data_dir / "media" / "public" / KEY / "link.m4s"
        link.symlink_to(services.data_dir / "secret.m4s")
    opened = Client(services)
    yield opened
    opened.close()


def test_whole_file(client: Client) -> None:
    answer = client.get(SEGMENT)
    assert (answer.status_code, answer.content) == (200, BODY)
    assert answer.headers["content-type"] == "video/iso.segment"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["accept-ranges"] == "bytes"
    again = client.get(SEGMENT, {"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("bytes=0-0", BODY[:1]),
        ("Bytes=0-0", BODY[:1]),
        ("bytes=300000-", BODY[300000:]),
        ("bytes=-5", BODY[-5:]),
        ("bytes=5-9999999", BODY[5:]),
    ],
)
def test_one_range(client: Client, asked: str, expected: bytes) -> None:
    answer = client.get(SEGMENT, {"range": asked})
    assert (answer.status_code, answer.content) == (206, expected)
    assert answer.headers["content-range"].endswith(f"/{len(BODY)}")


@pytest.mark.parametrize(
    "asked", ["bytes=9-5", "bytes=0-1,3-4", "items=0-1", "bytes=a-b", "bytes=-", "bytes=1"]
)
def test_other_ranges_are_ignored(client: Client, asked: str) -> None:
    assert client.get(SEGMENT, {"range": asked}).status_code == 200


@pytest.mark.parametrize("asked", [f"bytes={len(BODY)}-", "bytes=99999999-99999999", "bytes=-0"])
def test_range_past_the_end(client: Client, asked: str) -> None:
    answer = client.get(SEGMENT, {"range": asked})
    assert (answer.status_code, answer.headers["content-range"]) == (416, f"bytes */{len(BODY)}")


def test_a_range_of_another_version_is_answered_whole(client: Client) -> None:
    assert client.get(SEGMENT, {"range": "bytes=0-1", "if-range": '"other"'}).status_code == 200


def test_a_range_of_this_version_is_answered(client: Client) -> None:
    etag = client.get(SEGMENT).headers["etag"]
    assert client.get(SEGMENT, {"range": "bytes=0-1", "if-range": etag}).status_code == 206


def test_another_origin_may_ask_for_ranges(client: Client) -> None:
    """Older browsers ask first (Fetch, CORS-preflight); anything else is still refused."""
    answer = client.request("OPTIONS", SEGMENT, {"access-control-request-headers": "range"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "Range" in answer.headers["access-control-allow-headers"]
    refused = client.request("DELETE", SEGMENT)
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


def test_head_and_empty(client: Client) -> None:
    head = client.request("HEAD", SEGMENT)
    assert (head.status_code, head.content, head.headers["content-length"]) == (
        200,
        b"",
        str(len(BODY)),
    )
    assert client.get(f"/media/{KEY}/empty.m4s").content == b""


def test_protected_media_is_refused(client: Client) -> None:
    answer = client.get(f"/media/{LOCKED}/v1.m3u8")
    assert (answer.status_code, answer.json()["code"]) == (403, 403)


def test_nginx_is_told_of_files_only(client: Client) -> None:
    """What a store has as no file of this machine is sent by the application itself."""
    key = LOCKED
    settings = msgspec.structs.replace(client.services.settings, accel_prefix="/protected")
    behind = Client(msgspec.structs.replace(client.services, settings=settings))
    prefix = f"/media/r/{sign_prefix(behind.services.hashes, key, NOW).text}/{key}"
    answer, absent = behind.get(f"{prefix}/v1.m3u8"), behind.get(f"{prefix}/v2.m3u8")
    behind.close()
    is_local = isinstance(client.services.objects, LocalFiles)
    told = f"/protected/{key}/v1.m3u8" if is_local else None
    assert answer.headers.get("x-accel-redirect") == told
    assert answer.content == (b"" if is_local else b"#EXTM3U\n")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "private, no-store")
    assert (absent.status_code, "x-accel-redirect" in absent.headers) == (404, False)


def test_sealed_picture(client: Client) -> None:
    answer = client.get("/enc/0123456789abcdef0123456789abcdef.bin")
    assert (answer.content, answer.headers["content-type"]) == (
        b"CV encrypted",
        "application/octet-stream",
    )


@pytest.mark.parametrize(
    "path",
    [
        f"/media/{KEY}/../../secrets.json",
        f"/media/{KEY}/..%2f..%2fsecrets.json",
        f"/media/{KEY}/%2e%2e/%2e%2e/secrets.json",
        f"/media/{KEY}/link.m4s",
        f"/media/{KEY}/360",
        f"/media/{KEY}/v1.m3u8%00.mp4",
        "/media/../secrets.json",
        "/media//etc/passwd",
        "/media/",
        "/enc/../secrets.json",
        "/enc/0123456789abcdef0123456789abcdeg.bin",
        "/enc/00000000000000000000000000000000.bin",
    ],
)
def test_nothing_else_is_a_path(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.data_folder("opens its files; a bucket has no descriptors")
@pytest.mark.parametrize("client", ["own"], indirect=True)
def test_want_of_descriptors_is_not_absence(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("liuying.kit.folder_store.os.open", refuse)
    answer = client.get(SEGMENT)
    monkeypatch.undo()
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


def test_writing_is_refused(client: Client) -> None:
    answer = client.request("POST", SEGMENT)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


def test_parse_range_counts_both_ends() -> None:
    assert parse_range(b"bytes=2-3", 10) == ByteRange(2, 3)
    assert parse_range(b"bytes=-3", 2) == ByteRange(0, 1)
