"""Counting views and play health. Each function runs inside the caller's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.videos import playable_ids
from liuying.features.views import queries
from liuying.features.views.rules import (
    FAILURE_DAYS,
    KEPT_MS,
    PLAY_EVENTS,
    VIEWS,
    fails_for_many,
)
from liuying.features.views.schemas import PlayEvent
from liuying.features.views.tables import failure_mark, view_mark
from liuying.kit.caller import Caller
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import DAY_MS, Milliseconds, day_number, hour_of
from liuying.kit.errors import LiuyingError, NotFoundError
from liuying.kit.inserting import insert_if_absent
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import MINUTE, Limits
from liuying.kit.shared_limits import SharedLimits, refusal_of
from liuying.kit.visitor_code import VisitorCode

# A clock that is slightly behind may still refer to the last hour.
MARK_RETENTION_HOURS = 2
# The operator is told about a video once a day, not by every visitor.
ALARM_REST_MS = DAY_MS
# Whoever claims an alarm tells the operator within this time, or ended before; then the next one
# may.
ALARM_CLAIM_MS = 2 * MINUTE * 1000


class PlayHealth(msgspec.Struct, frozen=True):
    """What players reported of a video over some days.

    Attributes:
        video_id: The video.
        starts: How often its first frame was shown.
        start_ms: Sum of the waits for it, in milliseconds.
        stalls: How often playback waited for data.
        failures: How often it ended with an error.
        failed_networks: Number of networks with failures, each counted once a day.
    """

    video_id: int
    starts: int
    start_ms: int
    stalls: int
    failures: int
    failed_networks: int

    @property
    def fails_for_many(self) -> bool:
        return fails_for_many(self.starts, self.failures, self.failed_networks)


class View(msgspec.Struct, frozen=True):
    """A report that a video was watched.

    Attributes:
        video_id: The video.
        network: Where it comes from.
        viewer: The data code, or the network of a client without one.
        new_code: The data code, if it is still to be counted that its network presents it.
    """

    video_id: int
    network: ClientNetwork
    viewer: str
    new_code: VisitorCode | None = None

    @classmethod
    def by(cls, caller: Caller, video_id: int, *, is_new: bool = False) -> View:
        """The view of a caller.

        Args:
            caller: Who watched.
            video_id: The video.
            is_new: Whether it is still to be counted that the network presents the code.
        """
        code = caller.code
        return cls(video_id, caller.network, code or caller.network, code if is_new else None)


def count_views(
    connection: sa.Connection,
    hashes: KeyedHashes,
    limits: Limits,
    views: Sequence[View],
    now: Milliseconds,
) -> list[bool | LiuyingError]:
    """Count several views, each once per viewer, video and hour.

    Returns:
        For each whether it counted; `TooManyRequestsError` where its network reports too much,
        `NotFoundError` where nobody can watch such a video.
    """
    if isinstance(limits, SharedLimits):
        return _count_shared(connection, hashes, limits, views, now)
    hour = hour_of(now)
    networks: list[tuple[ClientNetwork, int | None]] = [(one.network, None) for one in views]
    refused = limits.check_many(connection, PLAY_EVENTS, networks)
    playable = playable_ids(connection, {one.video_id for one in views})
    told: list[bool | LiuyingError] = []
    marks: dict[str, int] = {}
    for place, (view, refusal) in enumerate(zip(views, refused, strict=True)):
        if refusal is not None:
            told.append(refusal)
        elif view.video_id not in playable:
            told.append(NotFoundError())
        else:
            told.append(False)
            # Of two of the same viewer the first counts.
            mark = _mark_of(hashes, view, hour)
            marks.setdefault(mark, place)
    # Only the one that wrote the mark continues: two processes count it once.
    left = queries.leave_marks(connection, list(marks), hour) if marks else set()
    fresh = sorted(place for mark, place in marks.items() if mark in left)
    over = limits.check_many(
        connection, VIEWS, [(views[place].network, views[place].video_id) for place in fresh]
    )
    counted = [place for place, refusal in zip(fresh, over, strict=True) if refusal is None]
    for place in counted:
        told[place] = True
    if counted:
        sums = Counter(views[place].video_id for place in counted)
        queries.add_views(connection, sums, hour)
        queries.add_pending_views(connection, sums)
    return told


def _mark_of(hashes: KeyedHashes, view: View, hour: int) -> str:
    """What a view leaves for an hour: the next one of the same viewer does not count."""
    return hashes.digest("view", view.viewer, view.video_id, hour).hex()


def _count_shared(
    connection: sa.Connection,
    hashes: KeyedHashes,
    limits: SharedLimits,
    views: Sequence[View],
    now: Milliseconds,
) -> list[bool | LiuyingError]:
    """Count views (`count_views`) in one statement."""
    if not views:
        return []
    hour = hour_of(now)
    networks = limits.keys_of(PLAY_EVENTS, [(one.network, None) for one in views], now)
    of_videos = limits.keys_of(VIEWS, [(one.network, one.video_id) for one in views], now)
    lists = {
        "videos": [str(one.video_id) for one in views],
        "viewers": [_mark_of(hashes, one, hour) for one in views],
        "networks": [today for today, _ in networks],
        "networks_before": [before for _, before in networks],
        "of_videos": [today for today, _ in of_videos],
        "of_videos_before": [before for _, before in of_videos],
    }
    texts = {name: ",".join(items) for name, items in lists.items()}
    told: list[bool | LiuyingError] = []
    for row in queries.count_shared(connection, {**texts, "hour": hour, "now": now}):
        if not row.passes:
            told.append(refusal_of(PLAY_EVENTS.rules, [*row.before, *row.moments], now))
        elif not row.is_playable:
            told.append(NotFoundError())
        else:
            told.append(row.is_counted)
    return told


def note_health(
    connection: sa.Connection,
    hashes: KeyedHashes,
    network: ClientNetwork,
    event: PlayEvent,
    now: Milliseconds,
) -> bool:
    """Add a report to a video's sums of the day. A failure counts once per network, video and hour,
    and its network once a day.

    So nobody can make a video that plays for others look bad (docs/security.md#t27).

    Returns:
        Whether it counted.
    """
    day, hour = day_number(now), hour_of(now)
    is_failure, is_new_network = event.event == "error", False
    if is_failure:
        mark = hashes.digest("failure", network, event.id, hour).hex()
        if not insert_if_absent(connection, view_mark, {"mark": mark, "hour": hour}):
            return False
        mark = hashes.digest("failed day", network, event.id, day).hex()
        is_new_network = insert_if_absent(connection, failure_mark, {"mark": mark, "day": day})
    counts = {
        "starts": int(event.event == "start"),
        "start_ms": event.wait if event.event == "start" else 0,
        "stalls": int(event.event == "stall"),
        "failures": int(is_failure),
        "failed_networks": int(is_new_network),
    }
    queries.add_health(connection, day, event.id, counts)
    return True


def list_failing(connection: sa.Connection, now: Milliseconds) -> list[PlayHealth]:
    """Videos that fail for many (`rules.fails_for_many`), most failures first."""
    return [one for one in list_health(connection, now, FAILURE_DAYS) if one.fails_for_many]


def list_health(connection: sa.Connection, now: Milliseconds, days: int) -> list[PlayHealth]:
    """Sums of the last days, including today, of every video with reports; most failures first."""
    return [
        PlayHealth(**{name: int(value) for name, value in row._mapping.items()})
        for row in queries.health_sums(connection, day_number(now) - days)
    ]


def take_alarm(connection: sa.Connection, video_id: int, now: Milliseconds) -> bool:
    """Claim the right to tell the operator about a video: once per `ALARM_REST_MS`, however many
    processes ask. It must be confirmed within `ALARM_CLAIM_MS` (`queries.confirm_alarms`).

    The caller's transaction must be a write transaction.
    """
    told_before = now - ALARM_REST_MS
    return queries.take_alarm(connection, video_id, told_before + ALARM_CLAIM_MS, told_before)


def sum_day(connection: sa.Connection, now: Milliseconds) -> None:
    """Sum the next day that is over and not summed yet; a slow clock may still have added to it
    until now.
    """
    queries.sum_next_day(connection, hour_of(now) - MARK_RETENTION_HOURS)


def forget_old(connection: sa.Connection, now: Milliseconds) -> None:
    """Delete marks and buckets that no rank needs any more."""
    queries.delete_old(
        connection,
        mark_hour=hour_of(now) - MARK_RETENTION_HOURS,
        failure_day=day_number(now) - FAILURE_DAYS,
        view_hour_before=hour_of(now - KEPT_MS),
    )
