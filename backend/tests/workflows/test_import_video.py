"""One file's way into the catalogue, on both databases, and what is left when it goes wrong."""

from __future__ import annotations

import errno
import re
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import av
import msgspec
import pytest
import sqlalchemy as sa
from PIL import Image

from liuying.core.catalogue.age_gate import set_category_gated
from liuying.core.catalogue.rules import SHARE_CATEGORY
from liuying.core.catalogue.service import get_video
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.tables import artist, category, label, video, video_artist, video_label
from liuying.core.playback.signed_urls import sign_prefix, signed_path
from liuying.core.playback.tables import asset
from liuying.features.search.queries.matches import ordered_ids
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, changes_after
from liuying.kit.encryption import encrypted_name
from liuying.kit.errors import InvalidInputError
from liuying.kit.images import EncryptedImage
from liuying.kit.object_keys import MEDIA, PUBLIC, picture_key
from liuying.kit.object_store import read_object
from liuying.media.errors import DiskFullError, MediaError, NotVideoError, PictureError
from liuying.media.ladder import Rung
from liuying.media.package import package
from liuying.media.playlists import Rendition
from liuying.media.production import Production
from liuying.media.subtitles import GivenTrack
from liuying.pages.player import play_info
from liuying.workflows import import_video
from liuying.workflows.content_hash import hash_file
from liuying.workflows.import_progress import Stage
from liuying.workflows.import_result import ImportResult, Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.sealing import settle_gates
from liuying.workflows.video_meta import VideoMeta
from tests.catalogue_factory import NOW, add_category
from tests.conftest import Client
from tests.media.clips import FAST, h264, make_clip, picture, tone
from tests.media.test_subtitles import film
from tests.workflows.published import (
    file_of,
    files_of,
    first_light,
    first_sound,
    places_of,
    play,
    publish_file,
    renditions_of,
    row_of,
    visible_files,
)

META = VideoMeta(
    title="海边的一天",
    category="旅行",
    labels=("海边", "日落", "海边"),
    artists=("林小野",),
    created_at=1_700_000_000_000,
    updated_at=1_700_000_500_000,
    pageviews=1234,
)


def run(services: Services, source: Path, meta: VideoMeta = META) -> ImportResult:
    return import_file(services, source, meta, settings=FAST)


def count(services: Services, table: sa.Table) -> int:
    with services.database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def state_of(services: Services, source: Path) -> tuple[str, str]:
    with services.database.read() as connection:
        wanted = asset.c.source_hash == hash_file(source)
        return tuple(
            connection.execute(sa.select(asset.c.state, asset.c.cause).where(wanted)).one()
        )


class TestWhole:
    """A plain import on SQLite and on PostgreSQL."""

    @pytest.fixture(params=["sqlite", "postgresql"])
    def engine(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    def test_everything_is_written(self, services: Services, plain_clip: Path) -> None:
        result = run(services, plain_clip)
        row = row_of(services, result.video_id)
        assert (row.title, row.created_at, row.updated_at, row.pageviews) == (
            *("海边的一天", 1_700_000_000_000, 1_700_000_500_000),
            1234,
        )
        assert (row.width, row.height, row.duration) == (640, 360, 3000)
        assert (row.is_listed, row.state, row.cause, row.is_protected) == (
            True,
            "complete",
            "",
            False,
        )
        assert re.fullmatch(r"/media/[0-9a-z]{20}/v1\.m3u8", row.playlist)
        with services.database.read() as connection:
            names = sa.select(label.c.name).join(video_label).order_by(video_label.c.position)
            assert list(connection.execute(names).scalars()) == ["海边", "日落"]
            people = sa.select(artist.c.name, artist.c.initial).join(video_artist)
            assert connection.execute(people).all() == [("林小野", "L")]
            assert connection.execute(sa.select(category.c.name)).scalars().all() == ["旅行"]
            for word in ("海边的", "日落", "林小野"):
                assert list(ordered_ids(connection, word)) == [result.video_id]
            assert changes_after(connection, 0).topics >= {CacheTopic.CATALOGUE, CacheTopic.SEARCH}

    def test_the_same_content_is_imported_once(
        self, services: Services, plain_clip: Path, tmp_path: Path
    ) -> None:
        first = run(services, plain_clip)
        copy = shutil.copy(plain_clip, tmp_path / "other name.mp4")
        again = run(services, Path(copy), VideoMeta(title="另一个标题"))
        assert (again.video_id, again.outcome) == (first.video_id, Outcome.KNOWN)
        assert count(services, video) == 1


def test_the_ladder_is_published_and_plays(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip)
    row = row_of(services, result.video_id)
    assert row.playlist == f"/media/{result.key}/v2.m3u8"
    assert (row.width, row.height) == (720, 1280)
    found = renditions_of(services, result.key)
    assert [(one.label, one.width, one.height) for one in found] == [
        ("360P", 360, 640),
        ("540P", 540, 960),
        ("720P", 720, 1280),
    ]
    for one in found:
        played = play(file_of(services, one.path))
        assert (played.width, played.height, played.pictures) == (one.width, one.height, 50)
        assert played.duration == pytest.approx(1.96, abs=0.01)
        assert played.colours == (1, 1, 1, 1)
        assert (played.loudness or 0) > 0.1
    lines = file_of(services, row.playlist).read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        *("360/index.m3u8", "540/index.m3u8", "720/index.m3u8"),
    ]
    assert [
        int(value) for value in re.findall(r"#EXT-X-STREAM-INF:BANDWIDTH=(\d+)", "\n".join(lines))
    ] == [one.bandwidth for one in found]


def test_a_fitting_source_is_kept_bit_by_bit(services: Services, tmp_path: Path) -> None:
    clip = make_clip(
        tmp_path / "fits.mp4", *picture("960x540", 5), *tone(5), *h264(50), "-b:v", "900k"
    )
    result = run(services, clip)
    found = renditions_of(services, result.key)
    assert [one.label for one in found] == ["360P", "540P"]
    top = found[-1]
    assert top.codecs.startswith("avc1.42c0")  # the source's own profile, not ours
    folder = file_of(services, top.path).parent
    (file,) = folder.glob("*.mp4")
    published = file.read_bytes()
    content = clip.read_bytes()
    some_picture = content[content.index(b"mdat") + 40_000 :][:400]
    assert some_picture in published
    # Both rungs cut where the source has its key frames; the low one also after the first second.
    cuts = [_cuts(file_of(services, one.path)) for one in found]
    assert cuts == [pytest.approx([0, 1, 2, 4, 5]), pytest.approx([0, 2, 4, 5])]


def _cuts(playlist: Path) -> list[float]:
    moments = [0.0]
    for duration in re.findall(r"#EXTINF:([\d.]+)", playlist.read_text()):
        moments.append(moments[-1] + float(duration))
    return moments


def test_joined_transport_streams_are_one_video(services: Services, tmp_path: Path) -> None:
    part = make_clip(tmp_path / "part.ts", *picture("320x180", 2), *tone(2), *h264())
    joined = tmp_path / "joined.ts"
    joined.write_bytes(part.read_bytes() * 3)
    result = run(services, joined)
    row = row_of(services, result.video_id)
    assert row.duration == pytest.approx(6000, abs=100)
    played = play(file_of(services, row.playlist))
    assert played.pictures == 150
    assert played.duration == pytest.approx(6, abs=0.1)


def test_a_short_gets_a_progressive_file(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip, VideoMeta(category=72))
    row = row_of(services, result.video_id)
    assert row.progressive == f"/media/{result.key}/play.mp4"
    file = file_of(services, row.progressive)
    played = play(file)
    assert (played.width, played.height, played.pictures) == (540, 960, 50)
    content = file.read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")
    with av.open(str(file)) as container:
        assert [stream.start_time for stream in container.streams] == [0, 0]


def test_a_short_that_is_wider_than_tall_gets_one_too(services: Services, plain_clip: Path) -> None:
    result = run(services, plain_clip, VideoMeta(category=72))
    row = row_of(services, result.video_id)
    assert row.progressive == f"/media/{result.key}/play.mp4"
    played = play(file_of(services, row.progressive))
    assert played.width > played.height
    assert played.height <= 540


def test_other_videos_have_none(services: Services, tall_clip: Path) -> None:
    assert row_of(services, run(services, tall_clip).video_id).progressive == ""


def test_seeking_has_preview_pictures(services: Services, tmp_path: Path) -> None:
    clip = make_clip(tmp_path / "long.mp4", *picture(seconds=6.4), *tone(6.4), *h264())
    result = run(services, clip)
    row = row_of(services, result.video_id)
    assert row.storyboard == f"/media/{result.key}/storyboard/index.vtt"
    document = file_of(services, row.storyboard)
    sheets = set(re.findall(r"^([^#\n]+)#xywh=", document.read_text(), re.MULTILINE))
    assert (
        sheets == {"0.jpg"} == {path.name for path in document.parent.iterdir()} - {document.name}
    )
    with services.database.read() as connection:
        assert (
            play_info(
                connection, SortIndex(services.database, services.hashes), result.video_id
            ).storyboard
            == row.storyboard
        )


def test_a_short_video_has_none(services: Services, plain_clip: Path) -> None:
    assert row_of(services, run(services, plain_clip).video_id).storyboard == ""


def test_text_tracks_become_webvtt(services: Services, tmp_path: Path) -> None:
    clip = film(
        tmp_path,
        ("chi", "繁體", "蝴蝶停在花上"),
        ("eng", "", "A butterfly <script>alert(1)</script>"),
    )
    beside = GivenTrack(lang="en", label="英语", document="WEBVTT\n")
    result = run(services, clip, VideoMeta(subtitles=(beside,)))
    with services.database.read() as connection:
        found = play_info(
            connection, SortIndex(services.database, services.hashes), result.video_id
        ).subtitles
    assert [(one.lang, one.label) for one in found] == [
        ("en", "英语"),
        ("en-x-2", "英语 2"),
        ("zh-Hant", "繁体中文"),
    ]
    texts = [file_of(services, one.url).read_text(encoding="utf-8") for one in found]
    assert texts[0] == "WEBVTT\n"
    assert "A butterfly" in texts[1]
    assert "<" not in texts[1]
    document = texts[2]
    assert re.search(r"^00:00:00\.500 --> 00:00:01\.500\n蝴蝶停在花上$", document, re.MULTILINE)


def test_a_shared_video_lies_behind_the_lock(services: Services, plain_clip: Path) -> None:
    result = run(services, plain_clip, VideoMeta(category="分享解锁"))
    row = row_of(services, result.video_id)
    assert (row.category_id, row.is_protected) == (73, True)
    client = Client(services)
    assert client.get(row.playlist).status_code == 403
    client.close()
    assert places_of(services, result.key) == {"protected"}


@pytest.mark.parametrize("name", ["plain_clip", "dubbed_clip"])
def test_every_address_within_a_locked_video_keeps_its_right(
    services: Services, name: str, request: pytest.FixtureRequest
) -> None:
    result = run(services, request.getfixturevalue(name), VideoMeta(category=73))
    signed_prefix = sign_prefix(services.hashes, result.key, NOW)
    client = Client(services)
    paths = [row_of(services, result.video_id).playlist]
    paths += [one.path for one in renditions_of(services, result.key)]
    ahead, seen = [signed_path(signed_prefix, path) for path in paths], set[str]()
    while ahead:
        address = ahead.pop()
        answer = client.get(address)
        assert (
            answer.status_code,
            address.startswith(f"/media/r/{signed_prefix.text}/{result.key}/"),
        ) == (200, True)
        assert (
            client.get(
                address.replace(signed_prefix.text + "/", "").replace("/r/", "/")
            ).status_code
            == 403
        )
        seen.add(address.partition(f"{result.key}/")[2])
        if address.endswith(".m3u8"):
            names = re.findall(r'URI="([^"]+)"|^([^#\n].*)$', answer.text, re.MULTILINE)
            found = {urljoin(address, one or other) for one, other in names}
            ahead += [one for one in found if one.partition(f"{result.key}/")[2] not in seen]
    client.close()
    there = set(files_of(services, result.key))
    # The first master playlist is only for players that opened it before there was another.
    assert there - seen == ({"v1.m3u8"} if "v2.m3u8" in there else set())
    assert "360/iframes.m3u8" in seen


@pytest.mark.parametrize(
    ("wanted", "is_locked"), [(VideoMeta(category=73), True), (VideoMeta(category="普通"), False)]
)
def test_the_files_lie_where_the_category_says(
    services: Services, plain_clip: Path, wanted: VideoMeta, is_locked: bool
) -> None:
    result = run(services, plain_clip, wanted)
    with services.database.read() as connection:
        item, _ = get_video(connection, result.video_id)
    assert item.is_locked is is_locked
    assert places_of(services, result.key) == {"protected" if is_locked else "public"}


def test_the_cover_is_sealed_and_shows_the_video(services: Services, plain_clip: Path) -> None:
    result = run(services, plain_clip)
    cover = _cover(services, result)
    assert (cover.width, cover.height, cover.type) == (640, 360, "image/avif;kid=1")
    assert cover.thumb
    avif = _decrypt(services, cover.url)
    assert avif.size == (640, 360)
    mean = avif.convert("L").resize((1, 1)).getpixel((0, 0))
    assert 60 < mean < 200


def test_a_given_cover_is_taken(services: Services, plain_clip: Path) -> None:
    buffer = BytesIO()
    Image.new("RGB", (1600, 900), (200, 30, 30)).save(buffer, "PNG")
    cover = _cover(services, run(services, plain_clip, VideoMeta(cover=buffer.getvalue())))
    assert (cover.width, cover.height) == (720, 405)
    colour = _decrypt(services, cover.jpeg or "").convert("RGB").getpixel((300, 200))
    assert colour == pytest.approx((200, 30, 30), abs=6)


def test_a_cover_that_is_no_picture_is_refused(services: Services, plain_clip: Path) -> None:
    with pytest.raises(PictureError):
        run(services, plain_clip, VideoMeta(cover=b"<svg onload=alert(1)>"))
    assert visible_files(services) == []


def _cover(services: Services, result: ImportResult) -> EncryptedImage:
    return msgspec.convert(row_of(services, result.video_id).cover, EncryptedImage)


def _decrypt(services: Services, url: str) -> Any:
    encrypted = read_object(services.objects, picture_key(encrypted_name(url)))
    return Image.open(BytesIO(services.encryptor.open(encrypted)))


def test_defaults(services: Services, plain_clip: Path, tmp_path: Path) -> None:
    source = Path(shutil.copy(plain_clip, tmp_path / "海边_的.一天.mp4"))
    row = row_of(services, run(services, source, VideoMeta()).video_id)
    assert (row.title, row.created_at, row.updated_at, row.pageviews) == (
        "海边 的 一天",
        NOW,
        NOW,
        0,
    )
    with services.database.read() as connection:
        assert connection.execute(sa.select(category.c.name)).scalar() == "未分类"


def test_the_source_is_not_touched(services: Services, plain_clip: Path) -> None:
    before = (plain_clip.read_bytes(), plain_clip.stat().st_mtime_ns)
    run(services, plain_clip)
    assert (plain_clip.read_bytes(), plain_clip.stat().st_mtime_ns) == before


def test_metadata_of_the_source_is_not_published(
    services: Services, plain_clip: Path, tmp_path: Path
) -> None:
    told = ["-metadata", "location=+31.2304+121.4737/", "-metadata", "title=secret-title"]
    tagged = make_clip(tmp_path / "tagged.mp4", "-i", str(plain_clip), "-c", "copy", *told)
    assert all(word in tagged.read_bytes() for word in (b"loci", b"secret-title"))
    result = run(services, tagged)
    published = b"".join(files_of(services, result.key).values())
    assert not any(word in published for word in (b"loci", b"secret-title"))


def test_stages_are_reported_in_order(services: Services, tall_clip: Path) -> None:
    seen: list[tuple[Stage, float]] = []
    import_file(
        services,
        tall_clip,
        VideoMeta(),
        lambda stage, share: seen.append((stage, share)),
        settings=FAST,
    )
    assert list(dict.fromkeys(stage for stage, _ in seen)) == [
        one for one in Stage if one is not Stage.MEND
    ]
    assert all(0 <= share <= 1 for _, share in seen)


def test_it_is_visible_before_the_ladder_is_made(services: Services, tall_clip: Path) -> None:
    playlists: list[str] = []

    def watch(stage: Stage, _share: float) -> None:
        if stage is Stage.LADDER and not playlists:
            with services.database.read() as connection:
                playlists.extend(
                    connection.execute(
                        sa.select(video.c.playlist).where(video.c.is_listed)
                    ).scalars()
                )

    import_file(services, tall_clip, VideoMeta(), watch, settings=FAST)
    assert len(playlists) == 1
    assert play(file_of(services, playlists[0])).height == 640


def test_a_wrong_category_is_refused_before_any_work(
    services: Services, plain_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_video, "probe", lambda _source: pytest.fail("probed"))
    with pytest.raises(InvalidInputError):
        run(services, plain_clip, VideoMeta(category=99))
    assert count(services, asset) == 0


def test_a_refused_file_leaves_no_row(services: Services, tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("words " * 100)
    with pytest.raises(NotVideoError):
        run(services, tmp_path / "text.mp4")
    assert (count(services, asset), count(services, video), visible_files(services)) == (0, 0, [])


def test_a_full_disk_is_noticed_beforehand(
    services: Services, plain_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(plain_clip)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=10_000_000))
    with pytest.raises(
        DiskFullError, match=r"磁盘空间不足：最多需要 \d+\.\d GB，另留 0\.3 GB，只有 \d+\.\d GB"
    ):
        run(services, plain_clip)


def test_a_fault_of_the_system_is_not_the_files(
    services: Services, plain_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_path: object) -> object:
        raise PermissionError(errno.EACCES, "Permission denied", "/elsewhere")

    monkeypatch.setattr(shutil, "disk_usage", fail)
    with pytest.raises(MediaError) as refusal:
        run(services, plain_clip)
    assert refusal.value.message == "系统错误：没有权限（/elsewhere）"


@pytest.mark.parametrize(
    ("step", "state", "files_remain"),
    [
        ("make_first", "failed", False),
        ("cover_picture", "failed", False),
        ("make_rest", "low", True),
    ],
)
def test_a_failure_leaves_only_what_is_whole_and_is_made_good(
    services: Services,
    tall_clip: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    state: str,
    files_remain: bool,
) -> None:
    original: Callable[..., object] = getattr(Production, step)

    def fail(self: Production, *arguments: object) -> object:
        original(self, *arguments)
        raise MediaError("出了问题")

    monkeypatch.setattr(Production, step, fail)
    with pytest.raises(MediaError, match="出了问题"):
        run(services, tall_clip)
    assert state_of(services, tall_clip) == (state, "出了问题")
    files = visible_files(services)
    assert bool(files) is files_remain
    assert not any(
        "/540/" in name or ".draft" in name or name.endswith("v2.m3u8") for name in files
    )
    assert [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]

    monkeypatch.undo()
    result = run(services, tall_clip)
    assert result.outcome is (Outcome.CONTINUED if files_remain else Outcome.IMPORTED)
    assert state_of(services, tall_clip) == ("complete", "")
    assert count(services, video) == 1
    assert [one.label for one in renditions_of(services, result.key)] == ["360P", "540P", "720P"]
    assert (play(file_of(services, row_of(services, result.video_id).playlist)).loudness or 0) > 0.1


def test_what_follows_the_lowest_rung_may_have_fewer_pictures(
    services: Services, tall_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a transport stream with a packet for each field: the lowest rung alone has a rate of
    its own then.
    """

    def of_fields(file: Path, rung: Rung, folder: Path) -> Rendition:
        made = package(file, rung, folder)
        return (
            made
            if rung.label == "360P"
            else msgspec.structs.replace(made, pictures=made.pictures // 2)
        )

    monkeypatch.setattr("liuying.media.production.package", of_fields)
    assert row_of(services, run(services, tall_clip).video_id).state == "complete"


def test_an_interrupted_import_leaves_what_is_whole(services: Services, tall_clip: Path) -> None:
    def interrupt(stage: Stage, share: float) -> None:
        if stage is Stage.LADDER and share > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_file(services, tall_clip, VideoMeta(), interrupt, settings=FAST)
    assert state_of(services, tall_clip) == ("low", "导入中断")
    assert {name.split("/")[2] for name in visible_files(services)} == {"360", "v1.m3u8"}
    assert run(services, tall_clip).outcome is Outcome.CONTINUED


def test_picture_and_sound_stay_together(services: Services, tmp_path: Path) -> None:
    """A flash and a beep of the same moment are still one in every rendition and in the progressive
    file.
    """
    flash = "color=black:s=360x640:d=3:r=25,drawbox=c=white:t=fill:enable='between(t,1.48,1.9)'"
    beep = "aevalsrc='0.5*sin(880*2*PI*t)*between(t,1.48,1.9)':d=3"
    clip = make_clip(
        tmp_path / "clap.mp4", "-f", "lavfi", "-i", flash, "-f", "lavfi", "-i", beep, *h264(500)
    )
    result = run(services, clip, VideoMeta(category=72))
    row = row_of(services, result.video_id)
    folder = file_of(services, renditions_of(services, result.key)[0].path).parent
    (whole,) = folder.glob("*.mp4")
    for file in (whole, file_of(services, row.progressive)):
        seen, heard = first_light(file), first_sound(file)
        assert seen == pytest.approx(1.48, abs=0.021)
        assert heard == pytest.approx(1.48, abs=0.03)


def test_a_gate_that_is_lifted_while_a_film_is_encoded_keeps_no_files_shut(
    services: Services, plain_clip: Path
) -> None:
    def lift(stage: Stage, share: float) -> None:
        if (stage, share) == (Stage.COVER, 0.0):
            with services.database.write() as connection:
                set_category_gated(connection, 1, is_gated=False)
                lifted.append(changes_after(connection, 0).newest)

    lifted: list[int] = []

    with services.database.write() as connection:
        add_category(connection, 1, "旅行")
        set_category_gated(connection, 1, is_gated=True)
    result = import_file(services, plain_clip, VideoMeta(category=1), lift, settings=FAST)
    assert row_of(services, result.video_id).is_protected
    with services.database.read() as connection:
        # Until its files are opened it is gated, and visitors are to be asked.
        assert CacheTopic.CONFIG in changes_after(connection, lifted[0]).topics
    settle_gates(services)
    assert not row_of(services, result.video_id).is_protected
    assert places_of(services, result.key) == {"public"}


def test_a_category_that_becomes_the_locked_one_while_a_film_is_encoded(
    services: Services, plain_clip: Path
) -> None:
    def rename(stage: Stage, share: float) -> None:
        if (stage, share) == (Stage.COVER, 0.0):
            with services.database.write() as connection:
                add_category(connection, SHARE_CATEGORY, "会员")

    result = import_file(services, plain_clip, VideoMeta(category="会员"), rename, settings=FAST)
    settle_gates(services)
    assert row_of(services, result.video_id).is_protected
    assert places_of(services, result.key) == {"protected"}


def test_two_imports_of_one_content_do_not_meet(services: Services, tall_clip: Path) -> None:
    refused: list[type[Exception]] = []

    def meet(stage: Stage, share: float) -> None:
        if (stage, share) == (Stage.LADDER, 0.0):
            with pytest.raises(ImportBusyError):
                run(services, tall_clip)
            refused.append(ImportBusyError)

    import_file(services, tall_clip, VideoMeta(), meet, settings=FAST)
    assert set(refused) == {ImportBusyError}  # the stage may report its beginning twice
    assert count(services, video) == 1


def test_what_died_is_swept_by_the_next_import(
    services: Services, plain_clip: Path, tall_clip: Path
) -> None:
    # As kill -9 leaves it: a registered row, a job folder whose lock nobody holds, a draft and a
    # published folder.
    key = "0123456789abcdefghij"
    with services.database.write() as connection:
        connection.execute(
            sa.insert(asset).values(
                key=key, source_hash=hash_file(tall_clip), source_name="x", state="registered"
            )
        )
    (services.data_dir / "jobs" / key).mkdir(parents=True)
    (services.data_dir / "jobs" / key / "360.mp4").write_bytes(b"half")
    publish_file(services, f"/media/{key}/v1.m3u8", b"half")
    if services.objects.media.is_split:
        draft = services.layout.at(f"{MEDIA}/{PUBLIC}/.{key}.draft")
        draft.mkdir()
        (draft / "v1.m3u8").write_text("half")
    result = run(services, plain_clip)
    assert {name.split("/")[1] for name in visible_files(services)} == {result.key}
    assert [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]
    assert count(services, asset) == 1


def test_a_living_job_is_not_swept(services: Services, plain_clip: Path) -> None:
    folders = JobFolders(services.data_dir / "jobs")
    with folders.gate():
        job = folders.begin("living00000000000000")
    with job as work:
        run(services, plain_clip)
        assert work.is_dir()
    assert not work.exists()
