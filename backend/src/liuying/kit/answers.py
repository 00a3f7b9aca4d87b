"""How a route declares what it may answer and how long the answer may be kept."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from liuying.kit.changes import Topic
from liuying.kit.envelope import Problem
from liuying.kit.paging import LAST_PAGE

PageNumber = Annotated[int, QueryParameter(ge=1, le=LAST_PAGE, description="Page, from 1.")]
# Identifiers are 32 bits: every database holds them, and a larger number is refused before it is looked up.
LARGEST_ID = 2**31 - 1
PathIdentifier = Annotated[int, PathParameter(ge=0, le=LARGEST_ID)]

INVALID = {422: ResponseSpec(Problem, description="A value breaks its rule.", generate_examples=False)}
MISSING = {404: ResponseSpec(Problem, description="Not there, or hidden.", generate_examples=False)}

FORBIDDEN = {403: ResponseSpec(Problem, description="Not for this visitor.", generate_examples=False)}
UNAUTHORIZED = {401: ResponseSpec(Problem, description="No valid session or code.", generate_examples=False)}


class CachePolicy(msgspec.Struct, frozen=True):
    """How long an answer that is the same for everybody may be kept.

    Attributes:
        topics: What changes make it stale at once on this server.
        lifetime: Seconds after which the server computes it anew although nothing changed; None where
            it depends on the topics alone.
        max_age: Seconds that a browser or an edge may use it without asking.
    """

    topics: frozenset[Topic]
    lifetime: int | None = None
    max_age: int = 10


CACHE_OPTION = "cache_policy"


def cached(*topics: Topic, lifetime: int | None = None, max_age: int = 10) -> dict[str, Any]:
    """The `opt` of a route whose 200 answers are kept."""
    return {CACHE_OPTION: CachePolicy(frozenset(topics), lifetime, max_age)}


CODE_OPTION = "visitor_code"
# The `opt` of a route that is nothing without the caller's data code: the document says so.
CODED: dict[str, Any] = {CODE_OPTION: True}
