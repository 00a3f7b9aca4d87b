"""A video whose date lies ahead is seen nowhere until then, and to the second from then on."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.http.scheduled_publishing import ScheduledPublisher
from liuying.installation.services import Services
from liuying.workflows.editing import edit_video
from liuying.workflows.import_video import import_file
from liuying.workflows.scheduled_publication import publish_due
from liuying.workflows.video_meta import GivenMeta, VideoMeta
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.media.clips import FAST, h264, make_clip, picture

LATER = NOW + 60_000
TITLE = "明天才开的花"
# Everywhere that shows videos.
CALLS = (
    *("/api/videosort/0", "/api/videoindex", "/api/videorecommand", "/api/videomaylike"),
    *("/api/rank?type=new", f"/api/videoSearch?serach={TITLE}", "/api/videosuggest?q=明天"),
)


@pytest.fixture
def scheduled(services: Services, tmp_path: Path) -> int:
    clip = make_clip(tmp_path / "flower.mp4", *picture("64x36", 1), *h264())
    meta = VideoMeta(title=TITLE, created_at=LATER, labels=("花",))
    return import_file(services, clip, meta, settings=FAST).video_id


def shown(client: Client, video_id: int) -> list[str]:
    client.application.look_for_changes()
    seen = [path for path in CALLS if TITLE in client.get(path).text]
    page = client.get(f"/api/videoplay/{video_id}?uuid=1")
    return seen + (["page"] if page.status_code == 200 else [])


def test_it_appears_to_the_second(filled: Services, client: Client, scheduled: int) -> None:
    assert shown(client, scheduled) == []
    ScheduledPublisher(filled.database, lambda: LATER - 1).publish()
    assert shown(client, scheduled) == []
    ScheduledPublisher(filled.database, lambda: LATER).publish()
    found = shown(client, scheduled)
    assert {"page", "/api/videosort/0", f"/api/videoSearch?serach={TITLE}"} <= set(found)
    assert publish_due(filled.database, LATER) == []


def test_an_edit_moves_the_date(filled: Services, client: Client, scheduled: int) -> None:
    edit_video(filled, scheduled, GivenMeta(created_at=NOW - 1000))
    assert "page" in shown(client, scheduled)
    edit_video(filled, scheduled, GivenMeta(created_at=LATER))
    assert shown(client, scheduled) == []
