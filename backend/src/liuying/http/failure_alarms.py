"""Beside the server: telling the operator's webhook when a video fails for many."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from liuying.features.site.service import read_identity
from liuying.features.views.queries import confirm_alarms, release_alarm
from liuying.features.views.service import take_alarm
from liuying.http.recurring import always, repeat
from liuying.kit.clock import Clock, Milliseconds, to_iso
from liuying.kit.database import Database
from liuying.kit.webhook import Webhook, WebhookError
from liuying.pages.statistics import VideoHealth, failing_videos

INTERVAL_S = 60.0
EVENT = "play.failing"
LOG = logging.getLogger(__name__)


class FailureAlarms:
    """Looks every minute. A video is reported once in 24 hours, by one of all processes.

    Args:
        database: Contains play health and past reports.
        clock: The time.
        webhook: The receiver; None to do nothing.
        is_ours: Whether it is this process's turn (`SingleRunner`).
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        webhook: Webhook | None,
        is_ours: Callable[[], bool] = always,
    ) -> None:
        self._database = database
        self._clock = clock
        self._webhook = webhook
        self._is_ours = is_ours

    async def run(self) -> None:
        """Look until cancelled."""
        if self._webhook is not None:
            complaint = "play health could not be looked at"
            await repeat(self.look, INTERVAL_S, complaint, is_ours=self._is_ours)

    def look(self) -> None:
        """Look once. If the receiver cannot be told, the next look tries again."""
        if self._webhook is None:
            return
        now = self._clock()
        with self._database.read() as connection:
            failing = failing_videos(connection, now)
        if not failing:
            return
        with self._database.write() as connection:
            due = [one for one in failing if take_alarm(connection, one.id, now)]
            site = read_identity(connection).name
        if not due:
            return
        try:
            self._webhook.send(message_of(site, due, now), now)
        except WebhookError as error:
            with self._database.write() as connection:
                for one in due:
                    release_alarm(connection, one.id)
            LOG.warning("the webhook was not told of %d videos: %s", len(due), error)
            return
        with self._database.write() as connection:
            confirm_alarms(connection, [one.id for one in due], now)


def message_of(site: str, videos: list[VideoHealth], now: Milliseconds) -> dict[str, Any]:
    """The body: `event`, `time`, a sentence for people that names the site, and the figures."""
    names = "、".join(f"{one.title}（编号 {one.id}）" for one in videos)
    return {
        "event": EVENT,
        "time": to_iso(now),
        "text": f"{site}：{len(videos)} 个视频对许多访客播放失败：{names}",
        "videos": videos,
    }
