"""Fills a database with small catalogues whose every value a test may name."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, category, label, video, video_artist, video_label
from liuying.core.playback.tables import asset, rendition
from liuying.features.ads.tables import ad, app_link, banner_tag
from liuying.features.notices.service import write_notice
from liuying.features.search.tables import hot_group, hot_word
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import metadata
from liuying.workflows.indexing import reindex_video
from liuying.workflows.queries.moving import last_number, note_last_number

NOW = 1_795_000_000_000
DAY = 86_400_000
COVER = {"url": "/enc/0123456789abcdef0123456789abcdef.bin", "type": "image/avif;kid=1"}


def add_category(connection: sa.Connection, category_id: int, name: str) -> None:
    """A category whose place is its id."""
    connection.execute(
        sa.insert(category).values(id=category_id, name=name, position=category_id, icon=COVER)
    )
    record_change(connection, CacheTopic.CATALOGUE)


def add_video(connection: sa.Connection, video_id: int, category_id: int, **values: Any) -> None:
    """A playable video: by default the higher the id the newer, and 10 views an id."""
    labels = values.pop("labels", [])
    artists = values.pop("artists", [])
    row = {
        "title": f"视频 {video_id}",
        "is_listed": True,
        "created_at": NOW - DAY + video_id * 1000,
        "updated_at": NOW - DAY + video_id * 1000,
        "pageviews": video_id * 10,
        "asset_key": f"asset{video_id:08}",
        "duration": 391_000,
        "width": 1280,
        "height": 720,
        "playlist": f"/media/asset{video_id:08}/v1.m3u8",
        "cover": COVER,
        **values,
    }
    connection.execute(sa.insert(video).values(id=video_id, category_id=category_id, **row))
    key = row["asset_key"]
    connection.execute(
        sa.insert(asset).values(
            key=key, source_hash=str(video_id), source_name="a.mp4", state="complete"
        )
    )
    for height in (720, 360):
        connection.execute(
            sa.insert(rendition).values(
                asset_key=key,
                label=f"{height}P",
                path=f"/media/{key}/{height}/index.m3u8",
                width=height * 16 // 9,
                height=height,
                bandwidth=height * 2000,
                codecs="avc1.64001f,mp4a.40.2",
            )
        )
    for place, name in enumerate(labels):
        label_id = _id_of(connection, label, name)
        connection.execute(
            sa.insert(video_label).values(video_id=video_id, label_id=label_id, position=place)
        )
    for name in artists:
        connection.execute(
            sa.insert(video_artist).values(
                video_id=video_id, artist_id=_id_of(connection, artist, name)
            )
        )
    reindex_video(connection, video_id)
    record_change(connection, CacheTopic.CATALOGUE)


def _id_of(connection: sa.Connection, table: sa.Table, name: str) -> int:
    found = connection.execute(sa.select(table.c.id).where(table.c.name == name)).scalar()
    if found is None:
        found = connection.execute(
            sa.insert(table).values(name=name).returning(table.c.id)
        ).scalar_one()
    return int(found)


def add_ad(connection: sa.Connection, ad_id: int, slot: str, **values: Any) -> None:
    """An advertisement without a time window."""
    row = {
        "title": f"广告 {ad_id}",
        "url": "https://example.com/",
        "image": COVER,
        "position": ad_id,
        **values,
    }
    connection.execute(sa.insert(ad).values(id=ad_id, slot=slot, **row))
    record_change(connection, CacheTopic.ADS)


def fill_catalogue(connection: sa.Connection) -> None:
    """Three categories of ten videos, four shorts (72), five shared (73), one of everything
    else.
    """
    for category_id, name in (
        (1, "旅行"),
        (2, "美食"),
        (3, "音乐"),
        (72, "短视频"),
        (73, "分享解锁"),
    ):
        add_category(connection, category_id, name)
    for index in range(30):
        add_video(
            connection,
            100 + index,
            1 + index % 3,
            labels=[f"标签{index % 5}", "共有"],
            artists=[f"作者{index % 4}"],
        )
    for index in range(4):
        add_video(connection, 200 + index, 72, width=720, height=1280)
    for index in range(5):
        add_video(connection, 300 + index, 73)
    add_video(connection, 400, 1, title="★ 站务置顶")
    connection.execute(
        sa.insert(banner_tag), [{"id": 1, "name": "精选"}, {"id": 2, "name": "周末"}]
    )
    add_ad(connection, 1, "BANNER", banner_tag_id=1)
    add_ad(connection, 60, "BANNER", banner_tag_id=2)
    for ad_id, slot in enumerate(
        ("USER", "PLAYINFO", "PLAYBEFORE", "SHORT_VIDEO", "EXPLODE", "LIST"), start=2
    ):
        add_ad(connection, ad_id, slot)
    for kind in ("checkin", "activity", "community", "exchange"):
        connection.execute(
            sa.insert(app_link).values(kind=kind, title=kind, url="https://example.com/")
        )
    write_notice(connection, "旧公告", "<p>一</p>", NOW - DAY)
    write_notice(connection, "新公告", "<p>二</p>", NOW)
    connection.execute(sa.insert(hot_group).values(id=1, title="热搜"))
    connection.execute(
        sa.insert(hot_word), [{"group_id": 1, "word": word} for word in ("视频", "标签")]
    )
    if connection.dialect.name == "postgresql":
        # These rows came with their numbers: the next ones are to have larger ones.
        for table in metadata.sorted_tables:
            note_last_number(connection, table, last_number(connection, table))
