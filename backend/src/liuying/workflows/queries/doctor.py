"""What the doctor looks for in rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import PLAYABLE
from liuying.core.catalogue.tables import category, video
from liuying.core.jobs.rules import REST_STEP, UNDECIDED, Kind, State
from liuying.core.jobs.tables import IS_OPEN, job
from liuying.core.playback.queries.assets import paths_of_assets
from liuying.core.playback.tables import asset
from liuying.features.ads.tables import ad, app_link, banner_tag
from liuying.features.views.tables import view_hour
from liuying.kit.clock import Milliseconds
from liuying.kit.identifiers import MAX_ID
from liuying.kit.object_keys import MediaPlace


def empty_categories(connection: sa.Connection) -> list[str]:
    """Names of categories without a playable video, in the operator's order."""
    shown = sa.exists().where(video.c.category_id == category.c.id, PLAYABLE)
    is_empty = sa.and_(~shown, category.c.is_hidden.is_(False))
    statement = sa.select(category.c.name).where(is_empty).order_by(category.c.position)
    return list(connection.execute(statement).scalars())


def begun_sources(connection: sa.Connection) -> set[str]:
    """Names of the files that the queue has published the first rendition of, and goes on with."""
    is_begun = sa.and_(IS_OPEN, job.c.kind == Kind.IMPORT.value, job.c.priority >= REST_STEP)
    sources = connection.execute(sa.select(job.c.source).where(is_begun)).scalars()
    return {PurePath(source).name for source in sources}


def ended_slots(connection: sa.Connection, now: Milliseconds) -> list[str]:
    """Slots whose advertisements have all ended."""
    is_over = sa.and_(ad.c.ends_at.is_not(None), ad.c.ends_at <= now)
    running = sa.func.sum(sa.case((is_over, 0), else_=1))
    statement = sa.select(ad.c.slot).group_by(ad.c.slot).having(running == 0).order_by(ad.c.slot)
    return list(connection.execute(statement).scalars())


def bare_banner_tags(connection: sa.Connection) -> list[str]:
    """Names of chips without an advertisement."""
    has_ad = sa.exists().where(ad.c.banner_tag_id == banner_tag.c.id)
    return list(connection.execute(sa.select(banner_tag.c.name).where(~has_ad)).scalars())


def ads_without_image(connection: sa.Connection) -> list[str]:
    """Titles of advertisements that have no picture."""
    rows = connection.execute(sa.select(ad.c.title, ad.c.image).order_by(ad.c.id))
    return [row.title for row in rows if not (row.image or {}).get("url")]


def count_links(connection: sa.Connection) -> int:
    """Number of links on /mine."""
    return connection.execute(sa.select(sa.func.count()).select_from(app_link)).scalar_one()


def newest_view_hour(connection: sa.Connection) -> int | None:
    """The last hour with views."""
    return connection.execute(sa.select(sa.func.max(view_hour.c.hour))).scalar()


def wild_video_ids(connection: sa.Connection) -> list[int]:
    """Ids of videos that no address can name."""
    statement = sa.select(video.c.id).where(~video.c.id.between(1, MAX_ID)).order_by(video.c.id)
    return list(connection.execute(statement).scalars())


def failed_jobs(
    connection: sa.Connection, limit: int, *, is_undecided: bool
) -> list[tuple[str, str]]:
    """File and cause of the newest failed jobs.

    Args:
        is_undecided: Those that wait for the operator's decision; the others without it.
    """
    decided = job.c.fault.not_in(sorted(UNDECIDED))
    statement = sa.select(job.c.source, job.c.cause).where(
        job.c.state == State.FAILED.value, sa.not_(decided) if is_undecided else decided
    )
    rows = connection.execute(statement.order_by(job.c.id.desc()).limit(limit))
    return [(row.source, row.cause) for row in rows]


def published_paths(connection: sa.Connection) -> Iterator[tuple[str, str, MediaPlace, list[str]]]:
    """Key, title, place and public paths of every visible asset."""
    paths = paths_of_assets(connection)
    statement = sa.select(
        asset.c.key,
        asset.c.is_protected,
        asset.c.is_removed,
        asset.c.progressive,
        asset.c.storyboard,
        video.c.title,
        video.c.playlist,
    ).join(video, video.c.asset_key == asset.c.key)
    for row in connection.execute(statement.order_by(video.c.id)):
        own = [path for path in (row.playlist, row.progressive, row.storyboard) if path]
        place = MediaPlace.of(is_protected=row.is_protected, is_removed=row.is_removed)
        yield row.key, row.title, place, [*own, *paths.get(row.key, [])]
