"""Oddities in the catalogue: unfinished imports, failing videos, screens that visitors would
find empty.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

import sqlalchemy as sa

from liuying.core.catalogue.queries.name_counts import LINKS, wrong_counts
from liuying.core.playback.queries.assets import unfinished_assets
from liuying.features.ads.rules import SLOTS
from liuying.features.search.queries.documents import is_complete, unindexed_ids, unlisted_ids
from liuying.features.views.service import list_failing
from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds, to_iso
from liuying.kit.identifiers import MAX_ID
from liuying.workflows.doctor.findings import (
    Finding,
    Place,
    Remedy,
    error,
    info,
    some,
    warning,
)
from liuying.workflows.queries import doctor as queries

# The program did not exist before this: a clock that says so is wrong.
EARLIEST = 1_763_000_000_000


def examine_catalogue(
    connection: sa.Connection, now: Milliseconds, imported_here: Container[str]
) -> Iterator[Finding]:
    """Everything that rows alone tell.

    Args:
        imported_here: Keys of the assets that living processes of this machine import.
    """
    yield from _imports(connection, imported_here)
    yield from _failing(connection, now)
    yield from _empty_categories(connection)
    yield from _advertisements(connection, now)
    yield from _banners(connection)
    yield from _clock(connection, now)
    yield from _numbers(connection)
    yield from _word_index(connection)
    yield from _name_counts(connection)


def _imports(connection: sa.Connection, imported_here: Container[str]) -> Iterator[Finding]:
    rows = unfinished_assets(connection)
    queued = queries.begun_sources(connection) if rows else set()
    lows = [row for row in rows if row.state == "low"]
    going_on = {
        row.key
        for row in lows
        if row.is_held or row.key in imported_here or row.source_name in queued
    }
    failed = [
        f"{row.source_name}（{row.cause or '原因不明'}）" for row in rows if row.state == "failed"
    ]
    partial = [
        row.source_name + (f"（{row.cause}）" if row.cause else "")
        for row in lows
        if row.key not in going_on
    ]
    begun = [row.source_name for row in rows if row.state == "registered"]
    if failed:
        yield warning(
            "import-failed",
            f"{len(failed)} 个文件导入失败：{some(failed)}",
            Remedy("按原因处理后，再次上传或导入同一文件", Place.JOBS, ("liuying import 文件",)),
        )
    if partial:
        yield warning(
            "import-partial",
            f"{len(partial)} 个视频只有首个清晰度：{some(partial)}",
            Remedy("再次上传或导入同一文件，会接着做完", Place.JOBS, ("liuying import 文件",)),
        )
    if going_on:
        names = [row.source_name for row in lows if row.key in going_on]
        yield info("import-goes-on", f"{len(names)} 个视频的其余清晰度还在做：{some(names)}")
    if begun:
        yield info(
            "import-begun",
            f"{len(begun)} 个文件正在导入，或导入被中断：{some(begun)}",
            Remedy("若已中断，再次导入即可", Place.JOBS, ("liuying import 文件",)),
        )


def _failing(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    failing = list_failing(connection, now)
    if failing:
        ids = [str(one.video_id) for one in failing]
        yield error(
            "play-failing",
            f"{len(failing)} 个视频对许多访客播放失败：编号 {some(ids)}",
            Remedy(
                "看看失败的次数；重新导入，或先隐藏",
                Place.FIGURES,
                ("liuying video health", "liuying video hide 编号"),
            ),
        )


def _empty_categories(connection: sa.Connection) -> Iterator[Finding]:
    if names := queries.empty_categories(connection):
        yield info(
            "category-empty",
            f"分类没有可看的视频：{some(names)}",
            Remedy("导入视频，或删除分类", Place.CATEGORIES, ("liuying category remove 名称",)),
        )


def _advertisements(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    if slots := queries.ended_slots(connection, now):
        yield warning(
            "ads-ended",
            f"广告位的广告全部过期：{some([_place_of(slot) for slot in slots])}",
            Remedy(
                "添加新的，或删除过期的", Place.ADS, ("liuying ad add", "liuying ad remove 编号")
            ),
        )


def _place_of(slot: str) -> str:
    """A slot as the operator knows it: 播放页（PLAYINFO）."""
    rule = next((rule for name, rule in SLOTS.items() if name == slot), None)
    return slot if rule is None else f"{rule.place.partition('，')[0]}（{slot}）"


def _banners(connection: sa.Connection) -> Iterator[Finding]:
    if bare := queries.bare_banner_tags(connection):
        yield warning(
            "banner-empty",
            f"轮播图的标签下没有轮播图：{some(bare)}",
            Remedy(
                "添加轮播图，或删除标签",
                Place.BANNERS,
                ("liuying ad add --slot BANNER --tag 标签", "liuying banner remove 标签"),
            ),
        )
    if without := queries.ads_without_image(connection):
        yield warning(
            "ad-without-picture",
            f"广告没有图片：{some(without)}",
            Remedy("设置图片", Place.ADS, ("liuying ad edit 编号 --image 图片",)),
        )
    if not queries.count_links(connection):
        yield info(
            "links-empty",
            "没有签到、活动、交流等入口",
            Remedy("添加入口；不需要就不必理会", Place.LINKS, ("liuying link add",)),
        )


def _clock(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    remedy = Remedy("校准服务器的时钟（例如启用 NTP）")
    if now < EARLIEST:
        yield error("clock", "系统时钟明显不对", remedy, at=to_iso(now))
        return
    newest = queries.newest_view_hour(connection)
    if newest is not None and newest * HOUR_MS > now + DAY_MS:
        yield error(
            "clock",
            "数据库里有未来的观看记录，系统时钟可能慢了",
            remedy,
            at=to_iso(newest * HOUR_MS),
        )


def _numbers(connection: sa.Connection) -> Iterator[Finding]:
    """Whoever edited an older SQLite database by hand could have used ids that no address can
    name.
    """
    if numbers := [str(one) for one in queries.wild_video_ids(connection)]:
        yield error(
            "video-number",
            f"{len(numbers)} 个视频的编号不在 1 到 {MAX_ID} 之间，列表和搜索会出错："
            f"{some(numbers)}",
            Remedy(
                "先备份，再从数据库的表 video 删除这些行，然后重新导入",
                commands=(
                    "sqlite3 数据文件夹/liuying.db "
                    "'PRAGMA foreign_keys=ON; DELETE FROM video WHERE id IN (编号)'",
                ),
            ),
        )


def _word_index(connection: sa.Connection) -> Iterator[Finding]:
    """By number only; `workflows.indexing.check_index` compares the contents, which takes
    minutes at a million videos.
    """
    if not is_complete(connection):
        yield warning(
            "search-building",
            "搜索索引还没有建完，部分视频搜不到",
            Remedy("接着建，视频很多时要几分钟", Place.BUTTON, ("liuying migrate",)),
        )
        return
    missing, surplus = unindexed_ids(connection), unlisted_ids(connection)
    remedy = Remedy(
        "重写这些视频的索引",
        Place.BUTTON,
        ("liuying video unhide 编号", "liuying video hide 隐藏的视频的编号"),
    )
    if missing:
        yield warning(
            "search-missing",
            f"{len(missing)} 个视频搜不到：编号 {some([str(one) for one in missing])}",
            remedy,
        )
    if surplus:
        yield warning(
            "search-surplus",
            f"搜索索引里有 {len(surplus)} 个不在列表中的视频：编号 "
            f"{some([str(one) for one in surplus])}",
            remedy,
        )


def _name_counts(connection: sa.Connection) -> Iterator[Finding]:
    """Only whoever wrote past the program, or took its triggers away, makes them wrong."""
    wrong = sum(len(wrong_counts(connection, kind)) for kind in LINKS)
    if wrong:
        yield warning(
            "name-counts",
            f"{wrong} 个艺人或标签的视频数不对",
            Remedy("重新数一遍", Place.BUTTON, ("liuying doctor --recount-names",)),
        )
