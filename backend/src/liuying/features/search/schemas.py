"""Search on the wire (specification §3)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from liuying.kit.responses import PLAIN_PATTERN


class HotGroupView(msgspec.Struct, frozen=True):
    """A group of hot words."""

    title: str
    lists: list[str]


class SuggestionView(msgspec.Struct, frozen=True):
    """What a visitor may be typing, or could search for instead."""

    text: str
    kind: Literal["hot", "artist", "label", "title"]


class SearchEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search whose results a visitor has seen."""

    term: Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=PLAIN_PATTERN)]


class SearchEventTaken(msgspec.Struct, frozen=True):
    """Whether it counts for the hot words."""

    is_counted: bool
