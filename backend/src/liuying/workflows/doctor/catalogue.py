"""Oddities in the catalogue: unfinished imports, failing videos, screens that visitors would
find empty.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from liuying.core.playback.queries.assets import unfinished_assets
from liuying.features.search.queries.documents import is_complete, unindexed_ids, unlisted_ids
from liuying.features.views.service import list_failing
from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds, to_iso
from liuying.kit.identifiers import MAX_ID
from liuying.workflows.doctor.findings import Finding, error, info, some, warning
from liuying.workflows.queries import doctor as queries

# The program did not exist before this: a clock that says so is wrong.
EARLIEST = 1_763_000_000_000


def examine_catalogue(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    """Everything that rows alone tell."""
    yield from _imports(connection)
    yield from _failing(connection, now)
    yield from _empty_categories(connection)
    yield from _advertisements(connection, now)
    yield from _banners(connection)
    yield from _clock(connection, now)
    yield from _numbers(connection)
    yield from _word_index(connection)


def _imports(connection: sa.Connection) -> Iterator[Finding]:
    rows = unfinished_assets(connection)
    failed = [
        f"{row.source_name}（{row.cause or '原因不明'}）" for row in rows if row.state == "failed"
    ]
    partial = [
        row.source_name + (f"（{row.cause}）" if row.cause else "")
        for row in rows
        if row.state == "low"
    ]
    begun = [row.source_name for row in rows if row.state == "registered"]
    if failed:
        yield warning(
            "import-failed",
            f"{len(failed)} 个文件导入失败：{some(failed)}",
            "按原因处理后，再次导入同一文件",
        )
    if partial:
        yield warning(
            "import-partial",
            f"{len(partial)} 个视频只有首个清晰度：{some(partial)}",
            "再次导入同一文件，会接着做完",
        )
    if begun:
        yield info(
            "import-begun",
            f"{len(begun)} 个文件正在导入，或导入被中断：{some(begun)}",
            "若已中断，再次导入即可",
        )


def _failing(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    failing = list_failing(connection, now)
    if failing:
        ids = [str(one.video_id) for one in failing]
        yield error(
            "play-failing",
            f"{len(failing)} 个视频对许多访客播放失败：编号 {some(ids)}",
            "用 liuying video health 查看；重新导入，或先用 liuying video hide 隐藏",
        )


def _empty_categories(connection: sa.Connection) -> Iterator[Finding]:
    if names := queries.empty_categories(connection):
        yield info(
            "category-empty",
            f"分类没有可看的视频：{some(names)}",
            "导入视频，或用 liuying category remove 删除",
        )


def _advertisements(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    if slots := queries.ended_slots(connection, now):
        yield warning(
            "ads-ended",
            f"广告位的广告全部过期：{some(slots)}",
            "用 liuying ad add 添加，或用 liuying ad remove 清理",
        )


def _banners(connection: sa.Connection) -> Iterator[Finding]:
    if bare := queries.bare_banner_tags(connection):
        yield warning(
            "banner-empty",
            f"横幅标签下没有广告：{some(bare)}",
            "用 liuying ad add --slot BANNER --tag 添加",
        )
    if without := queries.ads_without_image(connection):
        yield warning(
            "ad-without-picture",
            f"广告没有图片：{some(without)}",
            "用 liuying ad edit 编号 --image 设置图片",
        )
    if not queries.count_links(connection):
        yield info(
            "links-empty",
            "没有签到、活动、交流等入口",
            "用 liuying link add 添加；不需要就不必理会",
        )


def _clock(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    advice = "校准系统时钟（例如启用 NTP）"
    if now < EARLIEST:
        yield error("clock", f"系统时钟是 {to_iso(now)}，明显不对", advice)
        return
    newest = queries.newest_view_hour(connection)
    if newest is not None and newest * HOUR_MS > now + DAY_MS:
        yield error(
            "clock",
            f"数据库里有未来的观看记录（{to_iso(newest * HOUR_MS)}），系统时钟可能慢了",
            advice,
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
            "先备份，再用 sqlite3 执行 PRAGMA foreign_keys=ON，从表 video 删除这些行，然后重新导入",
        )


def _word_index(connection: sa.Connection) -> Iterator[Finding]:
    """By number only; `workflows.indexing.check_index` compares the contents, which takes
    minutes at a million videos.
    """
    if not is_complete(connection):
        yield warning(
            "search-building",
            "搜索索引还没有建完，部分视频搜不到",
            "执行 liuying migrate，会接着建",
        )
        return
    missing, surplus = unindexed_ids(connection), unlisted_ids(connection)
    advice = "用 liuying video unhide 编号（隐藏的视频用 hide）重写它的索引"
    if missing:
        yield warning(
            "search-missing",
            f"{len(missing)} 个视频搜不到：编号 {some([str(one) for one in missing])}",
            advice,
        )
    if surplus:
        yield warning(
            "search-surplus",
            f"搜索索引里有 {len(surplus)} 个不在列表中的视频：编号 "
            f"{some([str(one) for one in surplus])}",
            advice,
        )
