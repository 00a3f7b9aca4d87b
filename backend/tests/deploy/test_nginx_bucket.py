"""`liuying deploy nginx` for an installation whose objects are in a bucket: a real nginx with its
cache, in front of a real server and a real S3 store. Each is stopped while the others go on.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import msgspec
import pytest

from liuying.core.playback.queries.assets import update_asset
from liuying.core.playback.signed_urls import sign_prefix
from liuying.installation.configuration import DeploymentError
from liuying.installation.nginx_files import Site
from liuying.installation.nginx_site import nginx_site
from liuying.installation.public_environment import public_environment
from liuying.installation.services import Services
from liuying.installation.settings import Settings
from liuying.kit.object_keys import picture_key
from liuying.kit.object_records import ObjectRecords
from liuying.kit.s3_store import S3Store
from tests.catalogue_factory import NOW
from tests.deploy.nginx_process import NEEDS_NGINX, command_of, rendered, site_of
from tests.deploy.served import PATIENCE_S, free_port, running, served
from tests.s3_server import S3Server
from tests.waiting import wait_until

OPEN, LOCKED = "asset00000100", "asset00000300"
PICTURE = "0123456789abcdef0123456789abcdef"
# Several pieces, the last of them short.
BODY = bytes(range(256)) * 10_000
FILM = "360/a1b2c3.mp4"
FILES = {
    "v1.m3u8": b"#EXTM3U\n",
    FILM: BODY,
    "360/s00001.m4s": BODY,  # as versions before published segments
    "sub.vtt": b"WEBVTT\n",
}
PIECE = 1024 * 1024
RANGES = {
    "bytes=0-0": BODY[:1],
    "bytes=1048570-1048585": BODY[1048570:1048586],  # over the edge of a piece
    "bytes=2000000-": BODY[2_000_000:],
    "bytes=-7": BODY[-7:],
}
# Lines of ten seconds: of both questions and of pictures, and of the locks of three places.
COUNTED = 6
TYPES = {
    "m3u8": "application/vnd.apple.mpegurl",
    "m4s": "video/iso.segment",
    "mp4": "video/mp4",
}
BUCKET = {
    "store": "s3://media/site",
    "s3_endpoint": "http://127.0.0.1:1",
    "s3_access_key": "AK",
    "s3_secret_key": "SK",
}

pytestmark = NEEDS_NGINX


class Front(msgspec.Struct):
    """What a test may ask and stop."""

    client: httpx.Client
    services: Services
    store: S3Server
    application: ExitStack

    def wait_for(self, path: str, status: int) -> None:
        """Wait until an address is answered with a status; fails where it never is."""
        wait_until(lambda: self.client.get(path).status_code == status)


@pytest.fixture(params=["through the application", "from the store"])
def front(request: pytest.FixtureRequest, filled: Services, tmp_path: Path) -> Iterator[Front]:
    is_direct = request.param == "from the store"
    store = S3Server(tmp_path / "s3", is_readable_by_all=is_direct)
    with ExitStack() as stack:
        stack.callback(store.close)
        store.start()
        given = store.settings()
        settings = msgspec.structs.replace(filled.settings, **given)
        place = settings.s3_place
        assert place is not None
        objects = S3Store(place, ObjectRecords(filled.database))
        services = msgspec.structs.replace(filled, settings=settings, objects=objects)
        for key in (OPEN, LOCKED):
            for name, body in FILES.items():
                objects.put_if_absent(f"media/{key}/{name}", body)
        objects.put_if_absent(picture_key(PICTURE), b"CV")
        with services.database.write() as connection:
            update_asset(connection, LOCKED, {"is_protected": True})
        port = free_port()
        application = stack.enter_context(ExitStack())
        upstream = application.enter_context(served(services))
        site = site_of(
            tmp_path,
            port=port,
            store_origin=store.endpoint if is_direct else "",
        )
        text = nginx_site(msgspec.structs.replace(settings, port=upstream), site)
        # What an answer counts for: ten seconds in public.
        lasting = r"(proxy_cache_(?:valid [0-9 ]+(?= 10s)|lock_timeout(?= 12s))) \d+s;"
        text, found = re.subn(lasting, r"\1 1s;", text)
        assert found == COUNTED
        client = stack.enter_context(
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S)
        )
        command = command_of(tmp_path, rendered(tmp_path, text))
        stack.enter_context(running(command, lambda: _answers(client)))
        yield Front(client, services, store, application)


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/api/config").status_code == 200
    except httpx.TransportError:
        return False


def test_media_by_the_same_rules(front: Front) -> None:
    client, hashes = front.client, front.services.hashes
    right = sign_prefix(hashes, LOCKED, NOW).text
    for name, body in FILES.items():
        found = client.get(f"/media/{OPEN}/{name}", headers={"cookie": "a=b"})
        assert (found.status_code, found.content) == (200, body), name
        assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert found.headers["access-control-allow-origin"] == "*"
        assert found.headers["content-type"] == TYPES.get(
            name.rpartition(".")[2], "text/vtt; charset=utf-8"
        )
        assert not any(name.startswith("x-amz") for name in found.headers)
        etag = found.headers["etag"]
        again = client.get(f"/media/{OPEN}/{name}", headers={"if-none-match": etag})
        assert again.status_code == 304
        for path in (
            f"/media/{LOCKED}/{name}",
            f"/media/r/{'A' * 27}/{LOCKED}/{name}",
            f"/media/r/{sign_prefix(hashes, OPEN, NOW).text}/{LOCKED}/{name}",
        ):
            refused = client.get(path)
            assert (refused.status_code, refused.json()["msg"]) == (403, "解锁后才能观看")
            assert refused.headers["cache-control"] == "no-store"
        unlocked = client.get(f"/media/r/{right}/{LOCKED}/{name}")
        assert (unlocked.status_code, unlocked.content) == (200, body)
        assert unlocked.headers["cache-control"].startswith("private, ")
        is_list = name.endswith(".m3u8")
        assert ("no-store" in unlocked.headers["cache-control"]) == is_list
        # What is kept for who has the right is for nobody else.
        assert client.get(f"/media/{LOCKED}/{name}").status_code == 403
    for film, etag in (
        (f"/media/{OPEN}/{FILM}", client.head(f"/media/{OPEN}/{FILM}").headers["etag"]),
        (f"/media/r/{right}/{LOCKED}/{FILM}", '"another"'),
    ):
        for asked, part in RANGES.items():
            answer = client.get(film, headers={"range": asked})
            assert (answer.status_code, answer.content) == (206, part), asked
        beyond = client.get(film, headers={"range": f"bytes={len(BODY)}-"})
        assert (beyond.status_code, beyond.headers["content-range"]) == (
            416,
            f"bytes */{len(BODY)}",
        )
        same = client.get(film, headers={"range": "bytes=0-0", "if-range": etag})
        assert same.status_code == (200 if etag == '"another"' else 206)
    refused = client.get(f"/media/{LOCKED}/{FILM}", headers={"range": "bytes=0-0"})
    assert refused.status_code == 403
    asked_first = client.options(f"/media/{OPEN}/{FILM}", headers={"origin": "https://x.example"})
    assert asked_first.status_code == 204
    assert "Range" in asked_first.headers["access-control-allow-headers"]
    head = client.head(f"/media/{OPEN}/{FILM}")
    assert (head.status_code, head.headers["content-length"]) == (200, str(len(BODY)))
    assert client.get(f"/enc/{PICTURE}.bin").content == b"CV"
    for path in (
        f"/media/{OPEN}/nothing.m4s",
        "/media/asset99999999/v1.m3u8",
        f"/media/r/{right}/{LOCKED}/nothing.m4s",
        f"/enc/{'0' * 32}.bin",
        f"/media-access/{OPEN}",
        f"/media/{OPEN}/../../enc/01/{PICTURE}.bin",
    ):
        absent = client.get(path)
        assert absent.status_code == 404, path
    config = client.get("/api/config")
    assert "cache-control" in config.headers  # nothing of the files' rules reaches the calls


def test_a_piece_is_kept_and_not_the_film(front: Front, tmp_path: Path) -> None:
    """Whoever watches the beginning of a film has nginx fetch no more than a piece of it."""
    film = f"/media/{OPEN}/{FILM}"
    begin, end = {"range": "bytes=100-199"}, {"range": f"bytes={len(BODY) - 100}-"}
    assert front.client.get(film, headers=begin).content == BODY[100:200]
    (kept,) = [path for path in (tmp_path / "cache/media").rglob("*") if path.is_file()]
    assert PIECE < kept.stat().st_size < PIECE + 10_000
    front.store.kill()
    assert front.client.get(film, headers=begin).content == BODY[100:200]
    assert front.client.get(film, headers={"range": "bytes=500000-500099"}).status_code == 206
    assert front.client.get(film, headers=end).status_code == 503
    front.store.start()
    wait_until(lambda: front.client.get(film, headers=end).content == BODY[-100:])


def test_locking_and_removing_reach_everybody(front: Front) -> None:
    client, services = front.client, front.services
    segment = f"/media/{OPEN}/{FILM}"
    assert client.get(segment).content == BODY
    with services.database.write() as connection:
        update_asset(connection, OPEN, {"is_protected": True})
    front.wait_for(segment, 403)
    with services.database.write() as connection:
        update_asset(connection, OPEN, {"is_protected": False})
    front.wait_for(segment, 200)
    picture = f"/enc/{PICTURE}.bin"
    assert client.get(picture).content == b"CV"
    services.objects.delete(picture_key(PICTURE))
    front.wait_for(picture, 404)


def test_what_is_kept_goes_on_without_the_others(front: Front) -> None:
    client = front.client
    right = sign_prefix(front.services.hashes, LOCKED, NOW).text
    kept = {
        f"/media/{OPEN}/{FILM}": BODY,
        f"/media/r/{right}/{LOCKED}/{FILM}": BODY,
        f"/enc/{PICTURE}.bin": b"CV",
    }
    for path, body in kept.items():
        assert client.get(path).content == body
    front.store.kill()
    for path, body in kept.items():
        assert client.get(path).content == body, path
    away = client.get(f"/media/{OPEN}/sub.vtt")
    assert (away.status_code, away.headers["retry-after"]) == (503, "5")
    front.application.close()
    until = time.monotonic() + 2  # longer than an answer counts here
    locked = f"/media/r/{right}/{LOCKED}/{FILM}"
    while time.monotonic() < until:
        for path in kept.keys() - {locked}:
            assert client.get(path).content == kept[path], path
    # A right ends at its hour: nobody says any more whether it has.
    assert client.get(locked).status_code == 503
    unknown = client.get(f"/media/{LOCKED}/sub.vtt")
    assert (unknown.status_code, unknown.headers["retry-after"]) == (503, "5")


@pytest.mark.parametrize(
    "given",
    [
        {"cache_size": "much"},
        {"cache_size": "1g; deny all"},
        {"cache": Path("/srv/a b")},
        {"store_origin": "https://s3.example.com"},
        {"store_origin": "http://127.0.0.1:8333/;"},
    ],
)
def test_what_cannot_stand_in_it_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(DeploymentError):
        nginx_site(Settings(**BUCKET), Site(**given))  # type: ignore[arg-type]  # as given


def test_the_unit_has_no_folder_for_nginx_and_no_secrets() -> None:
    environment = public_environment(Settings(**BUCKET), "video.example.com")  # type: ignore[arg-type]  # texts
    assert "LIUYING_ACCEL_PREFIX" not in environment
    assert environment["LIUYING_STORE"] == "s3://media/site"
    assert not {"LIUYING_S3_ACCESS_KEY", "LIUYING_S3_SECRET_KEY"} & environment.keys()
