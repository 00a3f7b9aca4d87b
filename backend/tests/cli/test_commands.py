"""The operator's commands, run as the operator runs them, on an installation of their own."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from PIL import Image
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.cli.output import read_moment
from liuying.core.catalogue.tables import video
from liuying.core.playback.tables import tombstone
from liuying.features.search.terms import note_search
from liuying.installation.services import Services
from liuying.kit.clock import system_clock
from liuying.kit.errors import InvalidInputError
from liuying.kit.object_keys import PICTURES
from liuying.workflows.catalogue_rows import refuse_taken_down
from liuying.workflows.pictures import FRESH_S
from tests.conftest import Client
from tests.workflows.aging import aging
from tests.workflows.published import publish_file, visible_files

Run = Callable[..., Result]


@pytest.fixture
def run(filled: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Calls `liuying` in the filled installation."""
    monkeypatch.setenv("LIUYING_DATA_DIR", str(filled.data_dir))

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(app, list(arguments))

    return call


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "picture.png"
    buffer = io.BytesIO()
    Image.new("RGB", (64, 36), "teal").save(buffer, "PNG")
    path.write_bytes(buffer.getvalue())
    return path


def listed(run: Run, *arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return msgspec.json.decode(result.stdout)


def done(result: Result) -> None:
    assert result.exit_code == 0, result.output


def refused(result: Result, sentence: str, code: int = 1) -> None:
    assert result.exit_code == code, result.output
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_subtitles_of_a_video(run: Run, filled: Services, tmp_path: Path) -> None:
    path = tmp_path / "clip.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\nhello\n")
    assert (
        run("video", "subtitles", "100", str(path), "--language", "en").stdout == "已设置 en 字幕\n"
    )
    assert (
        run("video", "subtitles", "100", "--remove", "--language", "en").stdout
        == "已去掉 en 字幕\n"
    )
    refused(run("video", "subtitles", "100", "--remove", "--language", "en"), "视频没有 en 字幕")
    refused(run("video", "subtitles", "100", str(tmp_path / "none.srt")), "字幕 none.srt 无法读取")
    refused(run("video", "subtitles", "999", str(path)), "没有编号为 999 的视频")
    refused(run("video", "subtitles", "100"), "请写字幕文件", 2)
    refused(run("video", "subtitles", "100", str(path), "--remove"), "请写字幕文件", 2)


@pytest.mark.parametrize(
    "group",
    ["video", "category", "artist", "tag", "topic", "ad", "banner", "link", "notice", "hot"],
)
def test_every_list_is_a_table_and_json(run: Run, group: str) -> None:
    table = run(group, "list")
    done(table)
    assert isinstance(listed(run, group, "list"), list)


def test_videos_are_chosen_by_category_title_and_order(run: Run) -> None:
    assert {one["category"] for one in listed(run, "video", "list", "--category", "美食")} == {
        "美食"
    }
    assert len(listed(run, "video", "list", "--category", "72")) == 4
    assert [one["id"] for one in listed(run, "video", "list", "--title", "视频 12", "--hot")][
        :2
    ] == [129, 128]
    assert len(listed(run, "video", "list", "--limit", "3")) == 3


def test_a_video_is_edited_and_visitors_see_it(run: Run, client: Client, picture: Path) -> None:
    done(
        run(
            "video",
            "edit",
            "105",
            "--title",
            "海边 的\n一天",
            "--label",
            "海边",
            "--artist",
            "新人",
            "--cover",
            str(picture),
        )
    )
    client.application.look_for_changes()
    info = client.rescont("/api/videoplay/105")
    assert (info["title"], [one["name"] for one in info["labls"]]) == ("海边 的 一天", ["海边"])
    assert [one["name"] for one in info["artists"]] == ["新人"]
    assert info["coverbase64"]["width"] == 64
    assert client.rescont("/api/videoSearch?serach=海边")["total"] == 1
    shown = listed(run, "video", "show", "105")[0]
    assert (shown["labels"], shown["renditions"]) == (["海边"], ["360P", "720P"])


def test_a_video_goes_behind_the_lock_with_its_files(
    run: Run, filled: Services, client: Client
) -> None:
    publish_file(filled, "/media/asset00000105/v1.m3u8", b"#EXTM3U")
    assert client.get("/media/asset00000105/v1.m3u8").status_code == 200
    done(run("video", "edit", "105", "--category", "73"))
    client.application.look_for_changes()
    assert client.get("/media/asset00000105/v1.m3u8").status_code == 403
    assert client.rescont("/api/videoplay/105")["sources"] == []
    done(run("video", "edit", "105", "--category", "旅行"))
    client.application.look_for_changes()
    assert client.get("/media/asset00000105/v1.m3u8").status_code == 200


def test_the_reserved_categories_are_there_before_their_first_video(
    run: Run, filled: Services
) -> None:
    with filled.database.write() as connection:
        connection.execute(
            sa.update(video).where(video.c.category_id.in_([72, 73])).values(category_id=1)
        )
    for number in (72, 73):
        done(run("category", "remove", str(number), "--yes"))
    assert listed(run, "video", "list", "--category", "73") == []
    done(run("video", "edit", "105", "--category", "73"))
    done(run("video", "edit", "106", "--category", "短视频"))
    assert [one["id"] for one in listed(run, "video", "list", "--category", "分享解锁")] == [105]
    assert [one["id"] for one in listed(run, "video", "list", "--category", "72")] == [106]


def test_a_category_that_is_called_as_a_reserved_one_is_that_one(
    run: Run, filled: Services
) -> None:
    with filled.database.write() as connection:
        connection.execute(
            sa.update(video).where(video.c.category_id.in_([72, 73])).values(category_id=1)
        )
    for number in (72, 73):
        done(run("category", "remove", str(number), "--yes"))
    assert run("category", "add", "短视频").stdout == "已新建分类 72\n"
    # The name of the other is taken by an ordinary one: it gets a name of its own.
    done(run("category", "edit", "2", "--name", "分享解锁"))
    done(run("video", "edit", "105", "--category", "73"))
    assert [one["name"] for one in listed(run, "category", "list") if one["id"] == 73] == [
        "分享解锁（73）"
    ]
    done(run("category", "edit", "72", "--name", "竖屏"))
    done(run("category", "add", "短视频"))
    (ordinary,) = [one["id"] for one in listed(run, "category", "list") if one["name"] == "短视频"]
    assert ordinary not in {72, 73}


def test_a_hidden_video_is_gone_until_it_is_brought_back(run: Run, client: Client) -> None:
    done(run("video", "hide", "105", "106"))
    client.application.look_for_changes()
    assert client.get("/api/videoplay/105").status_code == 404
    assert client.rescont("/api/videosort/0")["total"] == 28
    assert client.rescont("/api/videoSearch?serach=视频 105")["total"] == 0
    assert len(listed(run, "video", "list", "--hidden")) == 2
    done(run("video", "unhide", "105"))
    client.application.look_for_changes()
    assert client.get("/api/videoplay/105").status_code == 200


def test_a_removed_video_waits_in_the_bin(run: Run, client: Client) -> None:
    done(run("video", "remove", "105", "106"))
    client.application.look_for_changes()
    assert client.get("/api/videoplay/105").status_code == 404
    assert [row["id"] for row in listed(run, "video", "bin")] == [106, 105]
    assert not listed(run, "video", "list", "--title", "视频 105")
    assert "在回收站" in run("video", "show", "105").stdout
    refused(run("video", "edit", "105", "--title", "别的"), "在回收站里，请先恢复")
    refused(run("video", "unhide", "105"), "在回收站里，请先恢复")
    done(run("video", "restore", "105"))
    client.application.look_for_changes()
    assert client.get("/api/videoplay/105").status_code == 200
    refused(run("video", "restore", "105"), "不在回收站里")
    done(run("video", "purge", "106", "--yes"))
    assert not listed(run, "video", "bin")


def test_a_purged_video_leaves_neither_row_nor_file(
    run: Run, filled: Services, client: Client
) -> None:
    for key in ("asset00000105", "asset00000106"):
        publish_file(filled, f"/media/{key}/v1.m3u8", b"#EXTM3U")
    done(run("video", "purge", "105", "--yes"))
    assert visible_files(filled) == ["public/asset00000106/v1.m3u8"]
    client.application.look_for_changes()
    assert client.get("/api/videoplay/105").status_code == 404
    with filled.database.read() as connection:
        assert connection.execute(sa.select(video).where(video.c.id == 105)).first() is None
        assert connection.execute(sa.select(tombstone)).first() is None


def test_a_picture_that_another_video_shows_stays(
    run: Run, filled: Services, picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stored() -> set[str]:
        return {one.key for one in filled.objects.objects(f"{PICTURES}/")}

    done(run("video", "edit", "105", "106", "--cover", str(picture)))
    objects = stored()
    assert len(objects) == 2
    # What was stored a moment ago is left to the sweep.
    aging(filled, monkeypatch)(FRESH_S + 1)
    done(run("video", "purge", "105", "--yes"))
    assert stored() == objects
    done(run("video", "purge", "106", "--yes"))
    assert stored() == set()


def test_content_that_was_taken_down_does_not_come_back(run: Run, filled: Services) -> None:
    done(run("video", "takedown", "105", "--reason", "版权投诉", "--yes"))
    with filled.database.read() as connection:
        with pytest.raises(InvalidInputError, match="版权投诉"):
            refuse_taken_down(connection, "105")
        refuse_taken_down(connection, "106")
    done(run("video", "takedown", "107", "--reason", "版权\u202e投诉\u2066\x1b", "--yes"))
    with filled.database.read() as connection, pytest.raises(InvalidInputError) as caught:
        refuse_taken_down(connection, "107")
    assert caught.value.message == "此内容已被下架（版权 投诉）"
    refused(run("video", "takedown", "106", "--reason", "\u202e", "--yes"), "下架原因不能是空白")
    assert len(listed(run, "video", "list", "--limit", "200")) == 38


def test_what_cannot_be_undone_is_asked_for(run: Run) -> None:
    for arguments in (
        ("video", "purge", "105"),
        ("category", "remove", "1"),
        ("notice", "remove", "1"),
    ):
        refused(run(*arguments), "--yes", code=2)
    assert len(listed(run, "video", "list", "--title", "视频 105")) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        (("video", "edit", "999", "--title", "x"), "没有编号为 999 的视频", 1),
        (("video", "edit", "105"), "没有要修改的内容", 2),
        (("video", "edit", "105", "--title", " "), "title 不能是空白", 2),
        (("video", "edit", "105", "106", "--title", "x"), "只能用于一个视频", 2),
        (("video", "edit", "105", "--cover", "/nowhere.png"), "无法读取", 2),
        (("video", "edit", "105", "--category", "99"), "没有编号或名称为「99」的分类", 1),
        (("video", "show", str(10**20)), "不能大于 2147483647", 2),
        (("video", "list", "--category", str(10**20)), "没有编号或名称为", 1),
        (("video", "hide", str(10**20)), "不能大于 2147483647", 2),
        (("notice", "remove", str(10**20), "--yes"), "不能大于 2147483647", 2),
        (("video", "edit", "105", "--category", "没有"), "没有编号或名称为「没有」的分类", 1),
        (("video", "show", "99999"), "没有编号为 99999 的视频", 1),
        (("category", "remove", "没有", "--yes"), "没有编号或名称为「没有」的分类", 1),
        (("ad", "list", "--slot", "X"), "位置应为", 1),
        (("link", "edit", "999", "--title", "x"), "没有编号为 999 的链接", 1),
        (("link", "edit", "1"), "没有要修改的内容", 2),
        (("banner", "edit", "没有", "--name", "x"), "没有编号或名称为「没有」的标签", 1),
        (("category", "edit", "1", "--position", str(10**20)), "不能大于 2147483647", 2),
        (("category", "add", "旅行"), "已存在", 1),
        (("category", "remove", "1", "--yes"), "还有 11 个视频", 1),
        (("artist", "merge", "1", "1"), "同一个", 1),
        (("tag", "rename", "1", "共有"), "已存在", 1),
        (
            ("ad", "add", "--slot", "LIST", "--title", "x", "--url", "https://a.example/"),
            "缺少 --image",
            2,
        ),
        (("ad", "edit", "2"), "没有要修改的内容", 2),
        (("category", "edit", "1"), "没有要修改的内容", 2),
        (("artist", "edit", "1"), "没有要修改的内容", 2),
        (("notice", "edit", "1"), "没有要修改的内容", 2),
        (("ad", "edit", "2", "--url", "javascript:alert(1)"), "http://", 1),
        (("ad", "edit", "2", "--from", "2026-12-02", "--to", "2026-12-01"), "结束时间", 1),
        (("ad", "edit", "2", "--to", "soon"), "--to 的写法不对：soon。例如 2026-12-01", 2),
        (("ad", "edit", "2", "--weight", "0"), "权重", 1),
        (("link", "add", "other", "x", "https://a.example/"), "checkin", 1),
        (("notice", "add", "x", "<script>x</script>"), "不能为空", 1),
        (("hot", "remove", "没有", "--yes"), "没有名为", 1),
        (("topic", "set", "雪山", "999"), "不存在的视频", 1),
    ],
)
def test_refusals_are_one_line(
    run: Run, arguments: tuple[str, ...], sentence: str, code: int
) -> None:
    refused(run(*arguments), sentence, code)


TURNED = "一\u202e二\u2066三\u0085四\x1b五\n六"
STRAIGHT = "一 二 三 四 五 六"


@pytest.mark.parametrize(
    ("write", "read", "name"),
    [
        (("video", "edit", "105", "--title", TURNED), ("video", "show", "105"), "title"),
        (("video", "edit", "105", "--label", TURNED), ("video", "show", "105"), "labels"),
        (("video", "edit", "105", "--artist", TURNED), ("video", "show", "105"), "artists"),
        (("category", "add", TURNED), ("category", "list"), "name"),
        (("category", "edit", "1", "--name", TURNED), ("category", "list"), "name"),
        (("artist", "edit", "1", "--name", TURNED), ("artist", "list"), "name"),
        (("tag", "rename", "1", TURNED), ("tag", "list"), "name"),
    ],
)
def test_no_name_turns_the_text_around_it(
    run: Run, write: tuple[str, ...], read: tuple[str, ...], name: str
) -> None:
    done(run(*write))
    found = [one[name] for one in listed(run, *read)]
    assert STRAIGHT in found or [STRAIGHT] in found, found


def test_categories_artists_and_tags(run: Run, client: Client, picture: Path) -> None:
    done(run("category", "add", "雪山", "--position", "0", "--icon", str(picture)))
    done(run("category", "edit", "1", "--name", "远行"))
    done(run("artist", "edit", "1", "--name", "山野", "--intro", "拍风景的人"))
    done(run("artist", "merge", "2", "1"))
    tags = {one["name"]: one["id"] for one in listed(run, "tag", "list")}
    done(run("tag", "rename", str(tags["共有"]), "全部都有"))
    done(run("tag", "merge", str(tags["标签0"]), str(tags["标签1"])))
    done(run("tag", "remove", str(tags["标签2"]), "--yes"))
    client.application.look_for_changes()
    assert [one["name"] for one in client.rescont("/api/videosort")][:2] == ["雪山", "远行"]
    artists = {one["name"]: one["video_count"] for one in client.rescont("/api/artist")}
    assert artists == {"山野": 16, "作者2": 7, "作者3": 7}
    assert client.rescont("/api/videoSearch?serach=山野")["total"] == 16
    counts = {one["name"]: one["video_count"] for one in client.rescont("/api/tags")}
    assert counts == {"全部都有": 30, "标签1": 12, "标签3": 6, "标签4": 6}
    assert client.rescont("/api/videoSearch?serach=标签2")["total"] == 0


def test_advertisements_and_links(run: Run, client: Client, picture: Path) -> None:
    made = ("--title", "春游", "--url", "https://a.example/", "--image", str(picture))
    done(run("banner", "add", "春天", "--position", "9"))
    done(run("ad", "add", "--slot", "BANNER", "--tag", "春天", *made))
    done(run("ad", "add", "--slot", "USER", "--position", "0", *made, "--to", "2020-01-01"))
    done(run("ad", "edit", "2", "--title", "换了"))
    done(run("link", "add", "exchange", "邻居", "https://b.example/", "--text", "也看看"))
    client.application.look_for_changes()
    tag = client.rescont("/api/adsort")[-1]
    assert tag["name"] == "春天"
    assert [one["title"] for one in client.rescont(f"/api/adinfo/BANNER/{tag['id']}")] == ["春游"]
    assert [one["title"] for one in client.rescont("/api/adinfo/USER")] == ["换了"]
    assert client.rescont("/api/config")["exchange_links"][-1]["title"] == "邻居"
    done(run("ad", "remove", "2", "--yes"))
    done(run("banner", "remove", str(tag["id"]), "--yes"))
    client.application.look_for_changes()
    assert client.rescont("/api/adinfo/USER") == []
    assert [one["title"] for one in listed(run, "ad", "list", "--slot", "BANNER")] == [
        "广告 1",
        "广告 60",
    ]


def test_notices_hot_words_and_topics(run: Run, client: Client, tmp_path: Path) -> None:
    page = tmp_path / "notice.html"
    page.write_text("<p>从文件来</p><script>alert(1)</script>", encoding="utf-8")
    done(run("notice", "add", "维护", "--file", str(page)))
    done(run("hot", "set", "编辑推荐", "海边", "夜景", "海边"))
    done(run("topic", "set", "雪山", "107", "105", "--intro", "看雪"))
    client.application.look_for_changes()
    newest = client.rescont("/api/sysnotice")["data"][0]
    assert (newest["title"], newest["content"]) == ("维护", "<p>从文件来</p>")
    assert {"title": "编辑推荐", "lists": ["海边", "夜景"]} in client.rescont("/api/videoSearchHot")
    topic = client.rescont("/api/topics")[0]
    assert (topic["title"], topic["intro"], topic["video_count"]) == ("雪山", "看雪", 2)
    assert [one["id"] for one in client.rescont(f"/api/videotopic/{topic['id']}")["data"]] == [
        107,
        105,
    ]
    assert client.get("/api/videotopic/99").status_code == 404
    done(run("notice", "edit", str(newest["id"]), "--title", "维护结束"))
    done(run("hot", "remove", "编辑推荐", "--yes"))
    done(run("topic", "remove", "雪山", "--yes"))
    client.application.look_for_changes()
    assert client.rescont("/api/sysnotice")["data"][0]["title"] == "维护结束"
    assert client.rescont("/api/topics") == []


def test_hot_words_are_blocked_and_unblocked(run: Run, client: Client) -> None:
    with client.services.database.write() as connection:
        for network in range(5):
            note_search(
                connection, client.services.hashes, "作者1", f"203.0.113.{network}", system_clock()
            )
    assert listed(run, "hot", "trending") == [{"term": "作者1", "networks": 5}]
    done(run("hot", "block", "視頻", "作者1"))
    assert listed(run, "hot", "blocked") == [{"word": "作者1"}, {"word": "视频"}]
    client.application.look_for_changes()
    assert client.rescont("/api/videoSearchHot") == [{"title": "热搜", "lists": ["标签"]}]
    done(run("hot", "unblock", "视频"))
    client.application.look_for_changes()
    assert client.rescont("/api/videoSearchHot")[0]["lists"] == ["标签", "视频"]
    refused(run("hot", "unblock", "视频"), "「视频」没有被屏蔽")
    refused(run("hot", "block", " "), "热词不能是空白")


def test_the_ends_of_a_window_are_changed_one_by_one(run: Run) -> None:
    def window() -> tuple[str | None, str | None]:
        row = next(one for one in listed(run, "ad", "list") if one["id"] == 2)
        return row["from"], row["to"]

    done(
        run("ad", "edit", "2", "--from", "2026-12-01T00:00+00:00", "--to", "2026-12-31T00:00+00:00")
    )
    assert window() == ("2026-12-01T00:00:00Z", "2026-12-31T00:00:00Z")
    done(run("ad", "edit", "2", "--to", "2027-01-31T00:00+00:00"))
    assert window() == ("2026-12-01T00:00:00Z", "2027-01-31T00:00:00Z")
    done(run("ad", "edit", "2", "--from", ""))
    assert window() == (None, "2027-01-31T00:00:00Z")


@pytest.fixture
def beijing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process in the zone of Beijing, whatever zones the machine knows by name."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CST-8")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("beijing")
def test_times_are_read_as_they_are_typed(run: Run) -> None:
    done(run("ad", "edit", "2", "--from", "2026-12-01", "--to", "2027-01-31T06:30"))
    row = next(one for one in listed(run, "ad", "list") if one["id"] == 2)
    assert (row["from"], row["to"]) == ("2026-11-30T16:00:00Z", "2027-01-30T22:30:00Z")
    shown = next(line for line in run("ad", "list").stdout.splitlines() if line.startswith("2 "))
    assert "2027-01-31 06:30:00" in shown


def test_a_date_alone_ends_with_its_day() -> None:
    day = 24 * 3600 * 1000
    first, last = (
        read_moment("--from", "2026-12-31"),
        read_moment("--to", "2026-12-31", is_end=True),
    )
    assert first is not None
    assert last == first + day
    exact = read_moment("--to", "2026-12-31T08:00+08:00", is_end=True)
    assert exact == read_moment("--from", "2026-12-31T00:00+00:00")


def test_things_are_called_by_their_names(run: Run) -> None:
    done(run("category", "add", "纪录片"))
    done(run("category", "edit", "纪录片", "--name", "记录"))
    done(run("category", "remove", "记录", "--yes"))
    done(run("tag", "rename", "共有", "全部都有"))
    assert "全部都有" in [one["name"] for one in listed(run, "tag", "list")]
    done(run("banner", "add", "春天"))
    done(run("banner", "edit", "春天", "--name", "夏天", "--position", "7"))
    assert ("夏天", 7) in [(one["name"], one["position"]) for one in listed(run, "banner", "list")]
    done(run("banner", "remove", "夏天", "--yes"))


def test_a_link_is_edited(run: Run) -> None:
    done(run("link", "add", "exchange", "邻居", "https://b.example/", "--text", "也看看"))
    number = next(one["id"] for one in listed(run, "link", "list") if one["title"] == "邻居")
    done(run("link", "edit", str(number), "--url", "https://c.example/", "--position", "3"))
    changed = next(one for one in listed(run, "link", "list") if one["id"] == number)
    assert (changed["url"], changed["text"], changed["position"]) == (
        "https://c.example/",
        "也看看",
        3,
    )


def test_a_notice_is_read_as_windows_writes_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notice.html").write_bytes("<p>今晚维护</p>".encode("gb18030"))
    done(run("notice", "add", "维护", "--file", str(tmp_path / "notice.html")))
    assert listed(run, "notice", "list")[0]["content"] == "<p>今晚维护</p>"
    (tmp_path / "notice.html").write_bytes(b"\x89PNG\0\0")
    refused(
        run("notice", "add", "维护", "--file", str(tmp_path / "notice.html")), "编码无法识别", 2
    )
