"""What is odd in the catalogue: imports that did not end, videos that fail, what visitors would see
empty.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import LISTED, PLAYABLE
from liuying.core.catalogue.tables import category, video
from liuying.core.playback.tables import asset
from liuying.features.ads.tables import ad, app_link, banner_tag
from liuying.features.search.queries.documents import is_complete
from liuying.features.search.tables import search_document
from liuying.features.views.service import list_failing
from liuying.features.views.tables import view_hour
from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds, to_iso
from liuying.kit.rows import MAX_ID
from liuying.workflows.doctor.findings import Finding, error, info, some, warning

# Before this the program was not written: a clock that says so is wrong.
EARLIEST = 1_763_000_000_000


def examine_catalogue(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    """All that rows alone tell."""
    yield from _imports(connection)
    yield from _failing(connection, now)
    yield from _empty_categories(connection)
    yield from _advertisements(connection, now)
    yield from _banners(connection)
    yield from _clock(connection, now)
    yield from _numbers(connection)
    yield from _word_index(connection)


def _imports(connection: sa.Connection) -> Iterator[Finding]:
    statement = sa.select(asset.c.source_name, asset.c.state, asset.c.cause).where(
        asset.c.state != "complete"
    )
    rows = connection.execute(statement.order_by(asset.c.source_name)).all()
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
    shown = sa.exists().where(video.c.category_id == category.c.id, PLAYABLE)
    names = list(
        connection.execute(
            sa.select(category.c.name).where(~shown).order_by(category.c.position)
        ).scalars()
    )
    if names:
        yield info(
            "category-empty",
            f"分类没有可看的视频：{some(names)}",
            "导入视频，或用 liuying category remove 删除",
        )


def _advertisements(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    is_over = sa.and_(ad.c.ends_at.is_not(None), ad.c.ends_at <= now)
    running = sa.func.sum(sa.case((is_over, 0), else_=1))
    statement = sa.select(ad.c.slot).group_by(ad.c.slot).having(running == 0).order_by(ad.c.slot)
    slots = list(connection.execute(statement).scalars())
    if slots:
        yield warning(
            "ads-ended",
            f"广告位的广告全部过期：{some(slots)}",
            "用 liuying ad add 添加，或用 liuying ad remove 清理",
        )


def _banners(connection: sa.Connection) -> Iterator[Finding]:
    has_ad = sa.exists().where(ad.c.banner_tag_id == banner_tag.c.id)
    bare = list(connection.execute(sa.select(banner_tag.c.name).where(~has_ad)).scalars())
    if bare:
        yield warning(
            "banner-empty",
            f"横幅标签下没有广告：{some(bare)}",
            "用 liuying ad add --slot BANNER --tag 添加",
        )
    without = [
        row.title
        for row in connection.execute(sa.select(ad.c.title, ad.c.image).order_by(ad.c.id))
        if not (row.image or {}).get("url")
    ]
    if without:
        yield warning(
            "ad-without-picture",
            f"广告没有图片：{some(without)}",
            "用 liuying ad edit 编号 --image 设置图片",
        )
    linkless = connection.execute(sa.select(sa.func.count()).select_from(app_link)).scalar_one()
    if not linkless:
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
    newest = connection.execute(sa.select(sa.func.max(view_hour.c.hour))).scalar()
    if newest is not None and newest * HOUR_MS > now + DAY_MS:
        yield error(
            "clock",
            f"数据库里有未来的观看记录（{to_iso(newest * HOUR_MS)}），系统时钟可能慢了",
            advice,
        )


def _numbers(connection: sa.Connection) -> Iterator[Finding]:
    """Whoever wrote into an older SQLite database himself could give numbers that no address can
    name.
    """
    wild = sa.select(video.c.id).where(~video.c.id.between(1, MAX_ID)).order_by(video.c.id)
    if numbers := [str(one) for one in connection.execute(wild).scalars()]:
        yield error(
            "video-number",
            f"{len(numbers)} 个视频的编号不在 1 到 {MAX_ID} 之间，列表和搜索会出错：{some(numbers)}",
            "先备份，再用 sqlite3 执行 PRAGMA foreign_keys=ON，从表 video 删除这些行，然后重新导入",
        )


def _word_index(connection: sa.Connection) -> Iterator[Finding]:
    """By number alone; `workflows.indexing.check_index` compares what is written, which takes
    minutes at a million.
    """
    if not is_complete(connection):
        yield warning(
            "search-building",
            "搜索索引还没有建完，部分视频搜不到",
            "执行 liuying migrate，会接着建",
        )
        return
    found = search_document.c.video_id
    is_found = sa.exists().where(found == video.c.id)
    is_listed = sa.exists().where(LISTED, video.c.id == found)
    missing = list(
        connection.execute(
            sa.select(video.c.id).where(LISTED, ~is_found).order_by(video.c.id)
        ).scalars()
    )
    surplus = list(connection.execute(sa.select(found).where(~is_listed).order_by(found)).scalars())
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
            f"搜索索引里有 {len(surplus)} 个不在列表中的视频：编号 {some([str(one) for one in surplus])}",
            advice,
        )
