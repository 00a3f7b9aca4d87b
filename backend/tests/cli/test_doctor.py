"""`liuying doctor`: each fault is found, named and graded; a sound installation has none."""

from __future__ import annotations

import errno
import os
import re
import shlex
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from liuying.cli.app import app
from liuying.console.maintenance.work import REPAIRS
from liuying.core.catalogue.tables import category, name_count
from liuying.core.playback.tables import asset
from liuying.features.ads.tables import ad
from liuying.features.search.tables import search_document, search_state
from liuying.features.site.service import set_texts
from liuying.features.views.tables import play_health, view_hour
from liuying.installation.doctor import examine
from liuying.installation.services import Services
from liuying.installation.settings import Settings
from liuying.kit.clock import day_number
from liuying.workflows.doctor.findings import Finding, Place, Remedy
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from tests.catalogue_factory import NOW, add_category, fill_catalogue
from tests.cli.faults import (
    add_old_ad,
    break_secrets,
    cut,
    cut_between_fragments,
    cut_playlist,
    damage,
    detach,
    go_ahead,
    go_back,
    leave_orphans,
    lose,
    lose_key_frames,
    lose_picture,
    lose_web,
    misnumber,
    open_secrets,
    overwrite,
    write,
)
from tests.media.clips import FAST
from tests.media.conftest import clips, plain_clip
from tests.workflows.published import row_of

__all__ = ["clips", "plain_clip"]
OF_SQLITE = pytest.mark.data_folder("does harm to SQLite's file")


@pytest.fixture
def sound(services: Services, plain_clip: Path) -> Services:
    """An installation with one real video, its page, and nothing wrong."""
    import_file(services, plain_clip, VideoMeta(title="海"), settings=FAST)
    services.settings.web_dir.mkdir()
    (services.settings.web_dir / "index.html").touch()
    return services


def topics(
    services: Services, settings: Settings | None = None, *, quick: bool = False
) -> dict[str, str]:
    """What is found that is more than information, by topic: its severity and sentence."""
    findings = list(examine(settings or services.settings, lambda: NOW, is_quick=quick))
    for one in findings:
        check_remedy(one)
    seen = {
        one.topic: f"{one.severity} {one.sentence}" for one in findings if one.severity != "info"
    }
    # How full the machine is that runs the tests is not theirs to say.
    seen.pop("disk-space", None)
    return seen


def check_remedy(finding: Finding) -> None:
    """The console shows what was found and the remedy's text: neither names a command, and a
    button is there where the remedy says so. Commands are commands.
    """
    assert "liuying " not in finding.sentence
    if (remedy := finding.remedy) is None:
        assert finding.severity == "info"
        return
    assert not re.search(r"liuying [a-z]|--[a-z]|执行 ", remedy.text)
    assert (remedy.place is Place.BUTTON) == (finding.topic in REPAIRS)
    for command in remedy.commands:
        assert shlex.split(command)[0] in {"liuying", "chmod", "make", "sqlite3", "tar"}


def test_a_sound_installation_has_no_faults(sound: Services) -> None:
    assert topics(sound) == {}


HEALTH = {"day": day_number(NOW), "video_id": 1, "starts": 16, "failures": 4, "failed_networks": 5}


@pytest.mark.parametrize(
    ("act", "topic", "sentence"),
    [
        (lose, "media-missing", "error 1 个视频缺少文件：海"),
        (lose_key_frames, "media-missing", "error 1 个视频缺少文件：海"),
        (cut, "media-truncated", "error 1 个视频的文件不完整：海"),
        (cut_between_fragments, "media-truncated", "error 1 个视频的文件不完整：海"),
        (cut_playlist, "media-truncated", "error 1 个视频的文件不完整：海"),
        (lose_picture, "picture-missing", "error 1 张图片的文件不见了"),
        (
            write(sa.insert(name_count).values(kind="label", name_id=1, videos=2, folded=1)),
            "name-counts",
            "warning 1 个艺人或标签的视频数不对",
        ),
        pytest.param(
            leave_orphans,
            "orphans",
            "warning 1 个视频文件夹和 1 张图片没有任何记录指向，不占空间",
            marks=pytest.mark.data_folder("its files are made old"),
        ),
        (
            write(sa.update(asset).values(state="low", cause="转码失败")),
            "import-partial",
            "warning 1 个视频只有首个清晰度",
        ),
        (
            write(
                sa.insert(asset).values(
                    key="x", source_hash="x", source_name="坏.mp4", state="failed", cause="断电"
                )
            ),
            "import-failed",
            "warning 1 个文件导入失败：坏.mp4（断电）",
        ),
        (
            write(sa.insert(play_health).values(**HEALTH)),
            "play-failing",
            "error 1 个视频对许多访客播放失败：编号 1",
        ),
        (add_old_ad, "ads-ended", "warning 广告位的广告全部过期：“我的”页面（USER）"),
        (
            write(
                sa.insert(ad).values(
                    slot="USER", title="无图", url="https://a.example/", image={"url": ""}
                )
            ),
            "ad-without-picture",
            "warning 广告没有图片：无图",
        ),
        (
            write(sa.insert(view_hour).values(hour=NOW // 3_600_000 + 100, video_id=1, views=1)),
            "clock",
            "error 数据库里有未来",
        ),
        (write(sa.delete(search_document)), "search-missing", "warning 1 个视频搜不到：编号 1"),
        (
            write(
                sa.insert(search_document).values(
                    video_id=77, title="", text="", readings="", score=0
                )
            ),
            "search-surplus",
            "warning 搜索索引里有 1 个不在列表中的视频：编号 77",
        ),
        (
            write(sa.update(search_state).values(is_complete=False)),
            "search-building",
            "warning 搜索索引还没有建完",
        ),
        (open_secrets, "secrets", "warning 密钥文件"),
        (break_secrets, "secrets", "error 密钥文件"),
        (lose_web, "web", "error "),
        (go_back, "migrations", "error 数据库停在迁移 0002"),
        (go_ahead, "database", "error 数据库的版本 9999 比程序新"),
        pytest.param(damage, "database-integrity", "error 数据库损坏", marks=OF_SQLITE),
        pytest.param(
            detach,
            "database-integrity",
            "error 数据库损坏：表 video 的一行指向 category",
            marks=OF_SQLITE,
        ),
        pytest.param(
            misnumber,
            "video-number",
            "error 1 个视频的编号不在 1 到 2147483647 之间",
            marks=OF_SQLITE,
        ),
        pytest.param(
            overwrite, "database", "error 数据库无法读取：文件不是数据库", marks=OF_SQLITE
        ),
    ],
)
def test_a_fault_is_found(
    sound: Services, act: Callable[[Services], None], topic: str, sentence: str
) -> None:
    act(sound)
    found = topics(sound)
    assert set(found) == {topic}
    assert found[topic].startswith(sentence)


@OF_SQLITE
def test_what_the_database_says_is_told_in_chinese(
    sound: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("liuying.kit.database.BUSY_TIMEOUT_MS", 0)
    sound.database.close()
    with closing(sqlite3.connect(sound.data_dir / "liuying.db")) as connection:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("UPDATE video SET pageviews = 1")
        connection.commit()
        assert topics(sound) == {"database": "error 数据库无法读取：正被别的写入占用"}


def test_what_the_system_says_is_told_in_chinese(
    sound: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Any:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/somewhere")

    monkeypatch.setattr("liuying.installation.doctor.examine_orphans", fail)
    monkeypatch.setattr("liuying.installation.secret_findings.load_secrets", fail)
    found = topics(sound)
    assert found["database"] == "error 检查中断：系统错误：没有权限（/somewhere）"
    assert found["secrets"].endswith("无法读取：没有权限")


@pytest.mark.parametrize(
    ("values", "topic"),
    [
        ({"host": "0.0.0.0"}, {"no-tls", "production"}),  # noqa: S104 - the danger itself
        ({"host": "::", "production": True}, {"no-tls"}),
        ({"trusted_proxies": "127.0.0.1,0.0.0.0/0"}, {"trusted-proxies"}),
        ({"trusted_proxies": "::/0"}, {"trusted-proxies"}),
        ({"trusted_proxies": "10.0.0.0/8"}, set()),
        ({"site_url": "http://site.example"}, {"no-tls"}),
        ({"media_base": "https://cdn.example"}, set()),
        pytest.param(
            {"s3_endpoint": "http://10.0.0.5:8333"},
            {"no-tls"},
            marks=pytest.mark.data_folder("the objects would lie in another store"),
        ),
        ({"database_url": "postgresql+psycopg://nobody@127.0.0.1:1/none"}, {"database"}),
    ],
)
def test_dangerous_settings_are_found(
    sound: Services, values: dict[str, Any], topic: set[str]
) -> None:
    assert set(topics(sound, msgspec.structs.replace(sound.settings, **values))) == topic


def test_a_site_without_an_address_is_told_of_its_cards(sound: Services) -> None:
    def told() -> list[Remedy | None]:
        found = examine(sound.settings, lambda: NOW, is_quick=True)
        return [one.remedy for one in found if one.topic == "site-url"]

    assert told() == [
        Remedy("写上网站的地址", Place.SITE, ("liuying site set --url https://域名",))
    ]
    with sound.database.write() as connection:
        set_texts(connection, {"url": "https://liuying.example"})
    assert told() == []


def test_empty_categories_and_bare_banners(services: Services) -> None:
    with services.database.write() as connection:
        fill_catalogue(connection)
        add_category(connection, 9, "空空")
        connection.execute(sa.delete(ad).where(ad.c.banner_tag_id == 2))
    found = {
        one.topic: one.sentence for one in examine(services.settings, lambda: NOW, is_quick=True)
    }
    assert found["category-empty"] == "分类没有可看的视频：空空"
    assert found["banner-empty"] == "轮播图的标签下没有轮播图：周末"
    with services.database.write() as connection:
        connection.execute(sa.delete(category).where(category.c.id == 9))
    assert "category-empty" not in {
        one.topic for one in examine(services.settings, lambda: NOW, is_quick=True)
    }


@pytest.mark.data_folder("its files are made old")
def test_the_command_grades_and_speaks_json(
    sound: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(sound.data_dir))
    monkeypatch.setenv("LIUYING_WEB_DIR", str(sound.settings.web_dir))
    monkeypatch.setattr("liuying.installation.doctor.LOW_BYTES", 0)
    monkeypatch.setattr("liuying.installation.doctor.LITTLE_BYTES", 0)

    def call(*arguments: str) -> Any:
        return CliRunner().invoke(app, ["doctor", *arguments])

    fine = call()
    assert (fine.exit_code, "一切正常" in fine.stdout) == (0, True)
    leave_orphans(sound)
    found = call("--json")
    assert found.exit_code == 1
    assert [
        one["topic"] for one in msgspec.json.decode(found.stdout) if one["severity"] == "warning"
    ] == ["orphans"]
    refused = call("--remove-orphans")
    assert (refused.exit_code, "请加 --yes 确认" in refused.stderr) == (2, True)
    assert call("--remove-orphans", "--yes").exit_code == 0
    assert row_of(sound, 1).state == "complete"
    write(sa.insert(name_count).values(kind="label", name_id=1, videos=2, folded=1))(sound)
    assert call("--quick").exit_code == 1
    assert call("--quick", "--recount-names").exit_code == 0
    lose(sound)
    assert call("--quick").exit_code == 2
    monkeypatch.setenv("LIUYING_PAGE_SIZE", "many")
    wrong = call()
    assert (wrong.exit_code, "设置有误" in wrong.stdout) == (2, True)


def test_nothing_is_made_or_migrated(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "none", web_dir=tmp_path)
    found = {
        one.topic
        for one in examine(settings, lambda: NOW, is_quick=False)
        if one.severity == "error"
    }
    assert "database" in found
    assert not settings.data_dir.exists()


@pytest.mark.parametrize("engine", ["postgresql"])
def test_postgresql_is_examined_too(sound: Services) -> None:
    assert topics(sound) == {}
