"""Hot words, as `liuying hot`: pinned groups, what visitors search for, and blocked words."""

from __future__ import annotations

from typing import Annotated

import msgspec
import sqlalchemy as sa
from litestar import get, post
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.content.changing import (
    REFUSED,
    Line,
    Revision,
    changing,
    require_revision,
    require_same_rows,
    revision_of,
)
from liuying.console.given import GivenActor, GivenServices
from liuying.features.audit.service import Entry
from liuying.features.operators.rules import Role
from liuying.features.search import hot_words, terms
from liuying.features.search.queries.hot_words import blocked_words, list_hot_groups
from liuying.features.search.result_cache import ResultCache
from liuying.kit.envelope import Envelope
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.responses import UNAUTHORIZED
from liuying.kit.texts import clean_text

Words = Annotated[list[Line], msgspec.Meta(max_length=100)]
Titles = Annotated[list[Line], msgspec.Meta(max_length=200)]


class HotGroup(msgspec.Struct, frozen=True):
    """A pinned group of hot words; `revision` names its state."""

    title: str
    words: list[str]
    revision: str


class SearchedTerm(msgspec.Struct, frozen=True):
    """What visitors search for.

    Attributes:
        networks: How many networks searched it in the last 24 hours.
        results: How many videos it finds.
    """

    term: str
    networks: int
    results: int


class HotWordsView(msgspec.Struct, frozen=True):
    """Pinned groups in order, searched terms, the hottest first, and blocked words."""

    groups: list[HotGroup]
    searched: list[SearchedTerm]
    blocked: list[str]


class HotGroupBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group as it is to be.

    Attributes:
        was: The title that it has; empty for a new one.
        revision: The state that the operator saw; empty for a new one.
    """

    title: Line
    words: Words
    was: Line = ""
    revision: Revision = ""


class TitleBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group by its title."""

    title: Line


class TitlesBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All groups by title, in the order that they are to have."""

    titles: Titles


class WordBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word."""

    word: Line


@get(
    "/api/hot-words",
    sync_to_thread=True,
    summary="Hot words",
    opt=needs(Role.VIEWER),
    responses=UNAUTHORIZED,
)
def list_hot_words(services: GivenServices) -> Envelope[HotWordsView]:
    """With what visitors searched in the last 24 hours; a term that few searched is not told."""
    with services.database.read() as connection:
        return Envelope(_view(connection, services.clock()))


@post(
    "/api/hot-words/groups",
    status_code=200,
    sync_to_thread=True,
    summary="Write a group of hot words",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def set_group(
    data: JSONBody[HotGroupBody], services: GivenServices, actor: GivenActor
) -> Envelope[HotWordsView]:
    """As `liuying hot set`; another title renames it."""
    with services.database.read() as connection:
        known = {group.title: group.lists for group in list_hot_groups(connection)}
    was = {"title": data.was, "words": known[data.was]} if data.was in known else None
    entry = Entry(
        "hot.set", f"热搜组 {data.title}", was, {"title": data.title, "words": data.words}
    )
    with changing(services, actor, entry) as connection:
        groups = _groups(connection)
        titles = [group.title for group in groups]
        found = next((group.revision for group in groups if group.title == data.was), "")
        require_revision(found, data.revision)
        if data.was and data.was not in titles:
            raise NotFoundError(f"没有名为「{data.was}」的热搜组")
        if clean_text(data.title) != data.was and clean_text(data.title) in titles:
            raise InvalidInputError(f"热搜组「{data.title}」已存在", "title")
        stored = hot_words.set_hot_group(connection, data.title, data.words)
        if data.was and stored != data.was:
            hot_words.remove_hot_group(connection, data.was)
        renamed = [stored if one == data.was else one for one in titles]
        _number(connection, renamed if data.was else [*titles, stored])
        return Envelope(_view(connection, services.clock()))


@post(
    "/api/hot-words/groups/remove",
    status_code=200,
    sync_to_thread=True,
    summary="Delete a group of hot words",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def remove_group(
    data: JSONBody[TitleBody], services: GivenServices, actor: GivenActor
) -> Envelope[HotWordsView]:
    """As `liuying hot remove`."""
    with services.database.read() as connection:
        known = {group.title: group.lists for group in list_hot_groups(connection)}
    before = {"words": known.get(data.title, [])}
    entry = Entry("hot.remove", f"热搜组 {data.title}", before)
    with changing(services, actor, entry) as connection:
        hot_words.remove_hot_group(connection, data.title)
        return Envelope(_view(connection, services.clock()))


@post(
    "/api/hot-words/groups/order",
    status_code=200,
    sync_to_thread=True,
    summary="Order the groups of hot words",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def order_groups(
    data: JSONBody[TitlesBody], services: GivenServices, actor: GivenActor
) -> Envelope[HotWordsView]:
    """As `liuying hot set --position` for each."""
    with changing(
        services, actor, Entry("hot.order", "热搜组", None, {"order": data.titles})
    ) as connection:
        require_same_rows((group.title for group in _groups(connection)), data.titles)
        _number(connection, data.titles)
        return Envelope(_view(connection, services.clock()))


@post(
    "/api/hot-words/block",
    status_code=200,
    sync_to_thread=True,
    summary="Never offer a word",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def block_word(
    data: JSONBody[WordBody], services: GivenServices, actor: GivenActor
) -> Envelope[HotWordsView]:
    """As `liuying hot block`; searching for it still works."""
    with changing(services, actor, Entry("hot.block", data.word)) as connection:
        hot_words.block_words(connection, [data.word])
        return Envelope(_view(connection, services.clock()))


@post(
    "/api/hot-words/unblock",
    status_code=200,
    sync_to_thread=True,
    summary="Let a word be offered again",
    opt=needs(Role.EDITOR),
    responses=REFUSED,
)
def unblock_word(
    data: JSONBody[WordBody], services: GivenServices, actor: GivenActor
) -> Envelope[HotWordsView]:
    """As `liuying hot unblock`."""
    with changing(services, actor, Entry("hot.unblock", data.word)) as connection:
        hot_words.unblock_word(connection, data.word)
        return Envelope(_view(connection, services.clock()))


def _number(connection: sa.Connection, titles: list[str]) -> None:
    """Give the groups that there are consecutive positions, in this order."""
    words = {group.title: group.lists for group in list_hot_groups(connection)}
    for place, title in enumerate(title for title in titles if title in words):
        hot_words.set_hot_group(connection, title, words[title], place)


def _groups(connection: sa.Connection) -> list[HotGroup]:
    return [
        HotGroup(group.title, group.lists, revision_of([group.title, group.lists]))
        for group in list_hot_groups(connection)
    ]


def _view(connection: sa.Connection, now: int) -> HotWordsView:
    # Without texts in memory the database answers, as it does on a server that has just begun.
    orders = ResultCache()
    searched = [
        SearchedTerm(row.term, row.networks, orders.find(connection, row.term, 0, 1)[1])
        for row in terms.trending_rows(connection, now)
    ]
    return HotWordsView(_groups(connection), searched, list(blocked_words(connection)))


ROUTES: list[ControllerRouterHandler] = [
    list_hot_words,
    set_group,
    remove_group,
    order_groups,
    block_word,
    unblock_word,
]
