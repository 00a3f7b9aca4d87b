"""Subtitles that are given to a published video, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.playback.tables import asset
from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError, LiuyingError, NotFoundError
from liuying.media.webvtt import SubtitleError
from liuying.pages.player import play_info
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.protection import move_to_category
from liuying.workflows.subtitle_files import set_subtitle
from tests.workflows.published import files_of, places_of

VIDEO, KEY = 100, "asset00000100"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def stored(services: Services) -> set[str]:
    """Names of everything that is published of the video."""
    return set(files_of(services, KEY))


def srt(words: str) -> bytes:
    return f"1\n00:00:01,000 --> 00:00:02,000\n{words}\n".encode()


def shown(services: Services) -> list[tuple[str, str, str]]:
    """Language, name and words of the tracks that a player is told of."""
    with services.database.read() as connection:
        found = play_info(
            connection, SortIndex(services.database, services.hashes), VIDEO
        ).subtitles
    texts = files_of(services, KEY)
    return [
        (
            one.lang,
            one.label,
            texts[one.url.removeprefix(f"/media/{KEY}/")].decode().split("\n")[3],
        )
        for one in found
    ]


def test_given_replaced_and_taken_away(filled: Services) -> None:
    assert set_subtitle(filled, VIDEO, "chs", srt("你好")) == "zh-Hans"
    assert set_subtitle(filled, VIDEO, "en", srt("hello")) == "en"
    assert shown(filled) == [("en", "英语", "hello"), ("zh-Hans", "简体中文", "你好")]
    first = stored(filled)
    set_subtitle(filled, VIDEO, "en", srt("good day"))
    assert shown(filled)[0] == ("en", "英语", "good day")
    assert len(stored(filled) - first) == 1  # under a new name, the old one is gone
    assert len(stored(filled)) == 2
    set_subtitle(filled, VIDEO, "en", srt("good day"))
    assert shown(filled)[0] == ("en", "英语", "good day")
    set_subtitle(filled, VIDEO, "en", None)
    set_subtitle(filled, VIDEO, "zh-Hans", None)
    assert shown(filled) == []
    assert stored(filled) == set()


def test_a_locked_videos_lie_behind_the_lock(filled: Services) -> None:
    move_to_category(filled, VIDEO, 73)
    set_subtitle(filled, VIDEO, "zh", srt("你好"))
    assert (len(stored(filled)), places_of(filled, KEY)) == (1, {"protected"})


@pytest.mark.parametrize(
    ("video_id", "language", "content", "kind"),
    [
        (999, "zh", srt("x"), NotFoundError),
        (VIDEO, "zh", None, NotFoundError),
        (VIDEO, "什么", srt("x"), InvalidInputError),
        (VIDEO, "", srt("x"), InvalidInputError),
        (VIDEO, "zh", b"no subtitles", SubtitleError),
    ],
)
def test_refusals(
    filled: Services,
    video_id: int,
    language: str,
    content: bytes | None,
    kind: type[LiuyingError],
) -> None:
    with pytest.raises(kind):
        set_subtitle(filled, video_id, language, content)
    assert stored(filled) == set()


def test_not_while_it_is_imported_or_unfinished(filled: Services) -> None:
    folders = JobFolders(filled.data_dir / "jobs")
    with folders.gate():
        job = folders.begin(KEY)
    with job, pytest.raises(ImportBusyError):
        set_subtitle(filled, VIDEO, "zh", srt("x"))
    with filled.database.write() as connection:
        connection.execute(sa.update(asset).where(asset.c.key == KEY).values(state="low"))
    with pytest.raises(InvalidInputError, match="还没有导入完"):
        set_subtitle(filled, VIDEO, "zh", srt("x"))
    assert stored(filled) == set()


def test_no_more_than_eight(filled: Services) -> None:
    for language in ("zh", "en", "ja", "ko", "fr", "de", "es", "pt"):
        set_subtitle(filled, VIDEO, language, srt(language))
    with pytest.raises(InvalidInputError, match="最多 8 条"):
        set_subtitle(filled, VIDEO, "it", srt("x"))
    set_subtitle(filled, VIDEO, "pt", srt("other"))
    assert len(stored(filled)) == 8
