"""Sealing gated videos and opening them again: whatever comes in between, nothing of a gated one is
open, and in the end everything is as it should be.
"""

from __future__ import annotations

import base64
import io
import random
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from liuying.core.catalogue.age_gate import AgeGate, set_category_gated, set_gate
from liuying.core.catalogue.queries.gating import SEALED_IN_PART, count_unsettled
from liuying.core.catalogue.tables import category, video
from liuying.core.playback.tables import asset
from liuying.http.gate_settling import GateSettler
from liuying.installation.services import Services
from liuying.kit.encryption import GATED_KEY, EncryptionError, ImageEncryptor
from liuying.kit.object_keys import MediaPlace, picture_key
from liuying.kit.object_store import read_object
from liuying.kit.storage_layout import StorageLayout
from liuying.media.cover import encode_picture
from liuying.workflows import protection, sealing
from liuying.workflows.bulk_editing import BulkChange, edit_many
from liuying.workflows.editing import edit_video
from liuying.workflows.job_folders import JobFolder, JobFolders
from liuying.workflows.protection import held, move_to_category, needs_signature, restore_places
from liuying.workflows.removal import remove_videos, restore_videos
from liuying.workflows.sealing import settle_gates
from liuying.workflows.video_meta import GivenMeta
from tests.memory_store import MemoryStore
from tests.workflows.published import places_of, publish_file

VIDEOS = (100, 101, 102, 200, 300)
LOCKED = 300
KEY = "asset00000101"
GATED = 2


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def png(number: int) -> bytes:
    noise = random.Random(number).randbytes(64 * 36 * 3)  # noqa: S311  # distinct pictures
    buffer = io.BytesIO()
    Image.frombytes("RGB", (64, 36), noise).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def site(filled: Services) -> Services:
    """Five videos with covers and files of their own; the others have neither."""
    covers = {}
    for number in VIDEOS:
        picture = Image.open(io.BytesIO(png(number)))
        cover = encode_picture(picture, filled.encryptor, filled.objects)
        covers[number] = msgspec.to_builtins(cover)
        place = MediaPlace.PROTECTED if number == LOCKED else MediaPlace.OPEN
        publish_file(filled, f"/media/asset{number:08}/v1.m3u8", b"playlist", place)
    with filled.database.write() as connection:
        connection.execute(sa.delete(video).where(video.c.id.not_in(VIDEOS)))
        for number, cover in covers.items():
            connection.execute(sa.update(video).where(video.c.id == number).values(cover=cover))
            connection.execute(
                sa.update(asset)
                .where(asset.c.key == f"asset{number:08}")
                .values(is_protected=number == LOCKED)
            )
    return filled


def gate(services: Services, number: int = GATED, *, is_gated: bool = True) -> None:
    with services.database.write() as connection:
        set_category_gated(connection, number, is_gated=is_gated)


def state(services: Services, number: int = 101) -> tuple[str, bool, set[str]]:
    """The key that a video's cover opens with, whether its asset is protected, and where its files
    are. In a bucket they are wherever the asset's row says.
    """
    with services.database.read() as connection:
        row = connection.execute(
            sa.select(video.c.cover, video.c.asset_key, asset.c.is_protected)
            .join(asset, asset.c.key == video.c.asset_key)
            .where(video.c.id == number)
        ).one()
    places = places_of(services, row.asset_key)
    return row.cover["type"].rpartition("=")[2], row.is_protected, places


OPEN_STATE = ("1", False, {"public"})
SEALED_STATE = ("255", True, {"protected"})


def opens(services: Services, number: int = 101) -> bytes:
    """The stored cover, decrypted."""
    with services.database.read() as connection:
        cover = connection.execute(
            sa.select(video.c.cover).where(video.c.id == number)
        ).scalar_one()
    name = cover["jpeg"].removeprefix("/enc/").removesuffix(".bin")
    return services.encryptor.open(read_object(services.objects, picture_key(name)))


def test_sealed_and_opened(site: Services) -> None:
    before = opens(site)
    gate(site)
    assert state(site) == OPEN_STATE  # Nothing is told of it, but nothing has moved either.
    assert settle_gates(site) == 1
    assert (state(site), state(site, 100)) == (SEALED_STATE, OPEN_STATE)
    assert opens(site) == before
    assert settle_gates(site) == 0
    assert restore_places(site) == 0
    gate(site, is_gated=False)
    assert state(site) == SEALED_STATE
    assert settle_gates(site) == 1
    assert (state(site), opens(site)) == (OPEN_STATE, before)
    assert settle_gates(site) == 0


def test_everybodys_keys_do_not_open_it(site: Services) -> None:
    gate(site)
    settle_gates(site)
    with site.database.read() as connection:
        cover = connection.execute(sa.select(video.c.cover).where(video.c.id == 101)).scalar_one()
    keys = {int(one): base64.b64decode(key) for one, key in site.secrets.cover_keys.items()}
    everybody = ImageEncryptor(keys, site.secrets.current_cover_key)
    for field in ("url", "jpeg"):
        name = cover[field].removeprefix("/enc/").removesuffix(".bin")
        with pytest.raises(EncryptionError):
            everybody.open(read_object(site.objects, picture_key(name)))


def test_a_locked_video_keeps_its_place(site: Services) -> None:
    with site.database.write() as connection:
        set_gate(connection, AgeGate(covers_site=True))
    assert settle_gates(site) == len(VIDEOS)
    assert state(site, 300) == SEALED_STATE
    with site.database.write() as connection:
        set_gate(connection, AgeGate())
    assert settle_gates(site) == len(VIDEOS)
    assert state(site, 300) == ("1", True, {"protected"})
    assert state(site, 200) == OPEN_STATE


def test_another_cover_is_sealed_too(site: Services) -> None:
    gate(site)
    settle_gates(site)
    edit_video(site, 101, GivenMeta(), png(7))
    assert state(site)[0] == "1"
    settle_gates(site)
    assert state(site) == SEALED_STATE
    edit_video(site, 101, GivenMeta(), png(8))
    gate(site, is_gated=False)
    settle_gates(site)
    assert state(site) == OPEN_STATE


def test_videos_follow_their_category(site: Services) -> None:
    gate(site)
    edit_video(site, 100, GivenMeta(category="美食"))
    assert state(site, 100) == ("1", True, {"protected"})
    edit_many(site, [102], BulkChange(category=GATED))
    settle_gates(site)
    assert [state(site, number) for number in (100, 101, 102)] == [SEALED_STATE] * 3
    edit_video(site, 100, GivenMeta(category="旅行"))
    edit_many(site, [102], BulkChange(category=3))
    settle_gates(site)
    assert [state(site, number) for number in (100, 102)] == [OPEN_STATE] * 2
    edit_video(site, 101, GivenMeta(category="分享解锁"))
    settle_gates(site)
    assert state(site) == ("1", True, {"protected"})


@pytest.mark.parametrize("is_locked", [False, True])
def test_an_opened_video_whose_new_category_is_gated_at_once(
    site: Services, *, is_locked: bool
) -> None:
    number, former = (LOCKED, 73) if is_locked else (101, GATED)
    gate(site, former)
    settle_gates(site)
    move_to_category(site, number, 1)
    assert state(site, number)[1:] == (False, {"public"})
    gate(site, 1)
    settle_gates(site)
    assert state(site, number) == SEALED_STATE
    gate(site, 1, is_gated=False)
    settle_gates(site)
    assert state(site, number) == OPEN_STATE


def test_a_gate_that_is_lifted_at_once_keeps_no_files_shut(site: Services) -> None:
    gate(site)
    move_to_category(site, 100, GATED)
    assert state(site, 100)[1:] == (True, {"protected"})
    gate(site, is_gated=False)
    settle_gates(site)
    assert state(site, 100) == OPEN_STATE


@pytest.mark.data_folder("waits for files that are held; in a bucket none move")
def test_an_import_in_progress_waits_for_its_files_alone(site: Services) -> None:
    gate(site)
    folders = JobFolders(site.data_dir / "jobs")
    with folders.gate():
        job = folders.begin(KEY)
    with job:
        assert settle_gates(site) == 0
        assert state(site) == ("255", False, {"public"})
        with site.database.read() as connection:
            seal = connection.execute(sa.select(video.c.seal).where(video.c.id == 101)).scalar()
        assert seal == SEALED_IN_PART
        gate(site, is_gated=False)
        assert settle_gates(site) == 0  # It is treated as gated until it is open as a whole.
        gate(site)
    assert settle_gates(site) == 1
    assert state(site) == SEALED_STATE


def test_what_is_in_the_bin_waits(site: Services) -> None:
    gate(site)
    remove_videos(site, [101])
    assert settle_gates(site) == 0
    restore_videos(site, [101])
    assert settle_gates(site) == 1
    assert state(site) == SEALED_STATE
    remove_videos(site, [101])
    gate(site, is_gated=False)
    assert settle_gates(site) == 0
    restore_videos(site, [101])
    settle_gates(site)
    assert state(site) == OPEN_STATE


def test_what_is_restored_into_a_gated_category_is_not_opened_first(site: Services) -> None:
    remove_videos(site, [101])
    gate(site)
    restore_videos(site, [101])
    assert state(site)[1:] == (True, {"protected"})
    settle_gates(site)
    assert state(site) == SEALED_STATE


@pytest.mark.data_folder("moves files; in a bucket the row alone says who may read them")
@pytest.mark.parametrize("is_gated", [False, True])
def test_a_gate_that_changes_while_a_video_moves_is_minded(
    site: Services, monkeypatch: pytest.MonkeyPatch, *, is_gated: bool
) -> None:
    gate(site, is_gated=not is_gated)

    def change_then_hold(layout: StorageLayout, key: str) -> JobFolder:
        gate(site, is_gated=is_gated)
        return held(layout, key)

    with monkeypatch.context() as patched:
        patched.setattr(protection, "held", change_then_hold)
        move_to_category(site, LOCKED, GATED)
    assert state(site, LOCKED)[1:] == ((True, {"protected"}) if is_gated else (False, {"public"}))
    settle_gates(site)
    assert state(site, LOCKED) == (SEALED_STATE if is_gated else OPEN_STATE)


def test_a_video_without_a_readable_cover_is_sealed_all_the_same(site: Services) -> None:
    missing = {"url": f"/enc/{'0' * 32}.bin", "type": "image/avif;kid=1"}
    with site.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == 101).values(cover=missing))
        connection.execute(sa.update(video).where(video.c.id == 100).values(cover=sa.null()))
        set_category_gated(connection, 1, is_gated=True)
        set_category_gated(connection, GATED, is_gated=True)
    assert settle_gates(site) == 2
    assert state(site)[1:] == (True, {"protected"})
    assert settle_gates(site) == 0


def test_a_failed_write_moves_the_files_back(
    site: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate(site)

    def fail(*_: Any) -> None:
        raise OSError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(sealing, "_write", fail)
        with pytest.raises(OSError, match="no room"):
            settle_gates(site)
    assert state(site) == OPEN_STATE
    assert settle_gates(site) == 1


def test_a_change_meanwhile_is_not_overwritten(
    site: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate(site)
    encrypt = sealing._encrypted_again

    def meanwhile(*arguments: Any) -> Any:
        monkeypatch.setattr(sealing, "_encrypted_again", encrypt)
        edit_video(site, 101, GivenMeta(), png(9))
        return encrypt(*arguments)

    monkeypatch.setattr(sealing, "_encrypted_again", meanwhile)
    assert settle_gates(site) == 0
    assert state(site)[1:] == (False, {"public"})
    assert settle_gates(site) == 1
    # The cover that came meanwhile, not the one that was read before.
    with site.database.read() as connection:
        cover = connection.execute(sa.select(video.c.cover).where(video.c.id == 101)).scalar_one()
    expected = encode_picture(
        Image.open(io.BytesIO(png(9))), site.encryptor.under(GATED_KEY), site.objects
    )
    assert cover["url"] == expected.url
    assert state(site) == SEALED_STATE


def test_in_a_store_that_keeps_nothing_apart(site: Services) -> None:
    objects = MemoryStore()
    for one in site.objects.objects("enc/"):
        objects.put_if_absent(one.key, read_object(site.objects, one.key))
    elsewhere = msgspec.structs.replace(site, objects=objects)
    gate(elsewhere)
    assert settle_gates(elsewhere) == 1
    assert state(elsewhere)[:2] == ("255", True)
    gate(elsewhere, is_gated=False)
    settle_gates(elsewhere)
    assert state(elsewhere)[:2] == ("1", False)


def test_the_server_settles(site: Services) -> None:
    gate(site)
    GateSettler(site).settle()
    assert state(site) == SEALED_STATE
    with site.database.read() as connection:
        assert count_unsettled(connection) == 0


def test_which_files_need_a_signature(site: Services) -> None:
    gate(site)
    with site.database.read() as connection:
        needed = [needs_signature(connection, one) for one in (1, GATED, 73, None)]
    assert needed == [False, True, True, False]
    with site.database.write() as connection:
        set_gate(connection, AgeGate(covers_site=True))
        assert all(needs_signature(connection, one) for one in (1, GATED, 73, None))


STEP = st.one_of(
    st.tuples(st.just("gate"), st.sampled_from([1, 2, 72, 73]), st.booleans()),
    st.tuples(st.just("site"), st.just(0), st.booleans()),
    st.tuples(st.just("move"), st.sampled_from(VIDEOS), st.sampled_from([1, 2, 3, 72, 73])),
    st.tuples(st.just("edit"), st.sampled_from(VIDEOS), st.sampled_from([1, 2, 3, 72, 73])),
    st.tuples(st.just("cover"), st.sampled_from(VIDEOS), st.integers(0, 5)),
    st.tuples(st.just("bin"), st.sampled_from(VIDEOS), st.booleans()),
    st.tuples(st.just("settle"), st.just(0), st.just(0)),
)


def do(site: Services, step: tuple[str, int, int], in_bin: set[int]) -> None:
    """One thing that an operator or the server does; what is in the bin is left alone."""
    what, which, how = step
    if what == "gate":
        gate(site, which, is_gated=bool(how))
    elif what == "site":
        with site.database.write() as connection:
            set_gate(connection, AgeGate(covers_site=bool(how)))
    elif what == "settle":
        settle_gates(site)
    elif what == "bin" and bool(how) != (which in in_bin):
        (remove_videos if how else restore_videos)(site, [which])
        in_bin ^= {which}
    elif which not in in_bin and what == "move":
        edit_many(site, [which], BulkChange(category=how))
    elif which not in in_bin and what == "edit":
        move_to_category(site, which, how)
    elif which not in in_bin and what == "cover":
        edit_video(site, which, GivenMeta(), png(how))


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEP, max_size=8))
def test_whatever_is_done_all_is_as_it_should_be(
    site: Services, steps: list[tuple[str, int, int]]
) -> None:
    in_bin: set[int] = set()
    for step in [*steps, ("settle", 0, 0)]:
        do(site, step, in_bin)
    if in_bin:
        restore_videos(site, sorted(in_bin))
        settle_gates(site)
    with site.database.read() as connection:
        whole = connection.execute(sa.text("SELECT covers_site FROM age_gate")).scalar()
        rows = connection.execute(
            sa.select(video.c.id, video.c.category_id, category.c.is_gated).join(
                category, category.c.id == video.c.category_id
            )
        ).all()
    for row in rows:
        is_gated = bool(row.is_gated or whole)
        is_protected = is_gated or row.category_id == 73
        expected = {"protected"} if is_protected else {"public"}
        assert state(site, row.id) == ("255" if is_gated else "1", is_protected, expected)
        assert opens(site, row.id)
