"""A screen's first answers inside its document, so that its data need no request of their own."""

from __future__ import annotations

import re

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.list_address import (
    ListQuery,
    category_path,
    first_page_address,
    read_screen,
)
from liuying.core.catalogue.schemas import as_sent
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.ads import service as ads
from liuying.kit.clock import Milliseconds
from liuying.kit.images import EncryptedImage
from liuying.pages.boot import ClientSettings
from liuying.pages.player import PlayInfos, similar_videos

# As the application itself writes these addresses. Other spellings get a document without answers,
# so that nobody can fill the memory with copies of one document (docs/security.md#t3).
PLAYER = re.compile(rb"/playVideo\?id=([1-9]\d{0,9})(&ad_show=no)?")
# Number of covers on a phone's first screen.
FIRST_COVERS = 4


class FirstAnswers(msgspec.Struct, frozen=True):
    """What a document contains beside the configuration.

    Attributes:
        answers: `rescont` by the address that the application requests, path and query.
        pictures: The pictures of the first screen, to be preloaded.
        largest: The first of them, where it is the one that the document itself draws
            (`web/public/first-picture.js`).
    """

    answers: dict[str, object]
    pictures: list[EncryptedImage]
    largest: EncryptedImage | None


NO_ANSWERS = FirstAnswers({}, [], None)


def has_first_answers(target: bytes) -> bool:
    """Whether the document for a request's target (raw path, `?`, query) has answers of its own."""
    return bool(PLAYER.fullmatch(target) or read_screen(target))


def first_answers(
    connection: sa.Connection,
    play_infos: PlayInfos,
    settings: ClientSettings,
    target: bytes,
    now: Milliseconds,
) -> FirstAnswers:
    """The answers for a request's target.

    Raises:
        NotFoundError: The target's video does not exist or is hidden.
    """
    if found := PLAYER.fullmatch(target):
        return _player_answers(
            connection, play_infos, settings, int(found[1]), found[2] is not None, now
        )
    if asked := read_screen(target):
        return _list_answers(connection, play_infos.orders, settings, asked)
    return NO_ANSWERS


def _player_answers(
    connection: sa.Connection,
    play_infos: PlayInfos,
    settings: ClientSettings,
    video_id: int,
    is_spared: bool,
    now: Milliseconds,
) -> FirstAnswers:
    info = play_infos.find(connection, video_id)
    answers: dict[str, object] = {
        f"/api/videoplay/{video_id}?uuid=1": info,
        f"/api/videomaylike?id={video_id}&page=1": as_sent(
            similar_videos(connection, play_infos.orders, video_id, 1)
        ),
    }
    if settings.ad_policy.is_shown and not is_spared:
        answers["/api/adinfo/PLAYBEFORE"] = ads.list_ads(
            connection, "PLAYBEFORE", now, settings.ad_policy
        )
        answers["/api/adinfo/PLAYINFO"] = ads.list_ads(
            connection, "PLAYINFO", now, settings.ad_policy
        )
    return _with_pictures(answers, [info.poster])


def _with_pictures(answers: dict[str, object], first: list[EncryptedImage]) -> FirstAnswers:
    # Those of gated videos have no address: neither announced, nor replaced by another one.
    pictures = [picture for picture in first if picture.url]
    return FirstAnswers(answers, pictures, first[0] if first and first[0].url else None)


def _list_answers(
    connection: sa.Connection,
    orders: SortIndex,
    settings: ClientSettings,
    asked: ListQuery,
) -> FirstAnswers:
    category_id, order = asked.category_id, asked.order
    request, path = asked.page_request(settings.page_size), category_path(category_id)
    page = catalogue.list_category(connection, orders, category_id, order, request, path)
    categories = catalogue.list_categories(connection)
    answers: dict[str, object] = {
        first_page_address(category_id, order): as_sent(page),
        "/api/videosort": categories,
    }
    return _with_pictures(answers, [one.item.cover for one in page.data[:FIRST_COVERS]])
