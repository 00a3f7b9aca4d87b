"""How a route declares its input, its possible answers and how long an answer may be cached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIType, Operation, Parameter, RequestBody, Schema
from litestar.params import PathParameter, QueryParameter

from liuying.kit.changes import CacheTopic
from liuying.kit.envelope import Problem
from liuying.kit.identifiers import MAX_ID
from liuying.kit.paging import LAST_PAGE, PLACE_PATTERN

PageNumber = Annotated[int, QueryParameter(ge=1, le=LAST_PAGE, description="Page, from 1.")]
AfterPlace = Annotated[
    str,
    QueryParameter(
        name="after",
        pattern=PLACE_PATTERN,
        description="Where the page before ended; see `next_page_url`.",
    ),
]
# Text that every database can store.
PLAIN_PATTERN = "^[^\\x00]*$"
PlainText = Annotated[str, msgspec.Meta(pattern=PLAIN_PATTERN)]
PathIdentifier = Annotated[int, PathParameter(ge=0, le=MAX_ID)]

INVALID = {
    422: ResponseSpec(Problem, description="A value breaks its rule.", generate_examples=False)
}
MISSING = {404: ResponseSpec(Problem, description="Not there, or hidden.", generate_examples=False)}
FORBIDDEN = {
    403: ResponseSpec(
        Problem, description="Known, but not for this visitor.", generate_examples=False
    )
}
CONFLICT = {
    409: ResponseSpec(Problem, description="Changed by somebody else.", generate_examples=False)
}
UNAUTHORIZED = {
    401: ResponseSpec(Problem, description="No valid session or code.", generate_examples=False)
}
LIMITED = {
    429: ResponseSpec(Problem, description="Too often; see `Retry-After`.", generate_examples=False)
}
# What every call with a body may answer (docs/security.md#t19).
BODY = {
    413: ResponseSpec(Problem, description="The body is over 256 KiB.", generate_examples=False),
    415: ResponseSpec(Problem, description="The body is not plain JSON.", generate_examples=False),
}
# What every call that writes may answer.
UNAVAILABLE = {
    503: ResponseSpec(
        Problem, description="Cannot be stored now; see `Retry-After`.", generate_examples=False
    )
}
WRITING_OPTION = "is_writing"
# The `opt` of a route that writes: it waits for its lock apart from readers, and no longer than a
# visitor would (`kit.answering`).
WRITING: dict[str, Any] = {WRITING_OPTION: True}
# Of the `opt` of a route: field → what is said where a body lacks it, or has null.
MISSING_OPTION = "missing_messages"
CODE_PARAMETER = "X-Visitor-Code"


@dataclass
class WithCode(Operation):
    """Documents a call that requires the caller's data code, which `http.callers` reads."""

    is_code_required = True
    code_pattern = "^[0-9a-z]{6,12}$"

    def __post_init__(self) -> None:
        """Name the header. Where the body may be omitted because the query is understood too, the
        document still requires it.
        """
        code = Parameter(
            name=CODE_PARAMETER,
            param_in="header",
            required=self.is_code_required,
            description="The data code. `uuid` in the query or the body is understood as well.",
            schema=Schema(type=OpenAPIType.STRING, pattern=self.code_pattern),
        )
        self.parameters = [*(self.parameters or []), code]
        if isinstance(self.request_body, RequestBody):
            self.request_body.required = True
            for media in self.request_body.content.values():
                if isinstance(media.schema, Schema) and media.schema.one_of:
                    media.schema = media.schema.one_of[0]


@dataclass
class WithOptionalCode(WithCode):
    """Documents a call that accepts the caller's data code."""

    is_code_required = False
    code_pattern = "^([0-9a-z]{6,12})?$"


class CachePolicy(msgspec.Struct, frozen=True):
    """How long an answer that is the same for everybody may be cached.

    Attributes:
        topics: Changes that make it stale at once on this server.
        lifetime: Seconds after which the server recomputes it even without a change; None if it
            depends on the topics alone.
        max_age: Seconds for which a browser or an edge may use it without asking.
    """

    topics: frozenset[CacheTopic]
    lifetime: int | None = None
    max_age: int = 10


CACHE_OPTION = "cache_policy"


def cached(*topics: CacheTopic, lifetime: int | None = None, max_age: int = 10) -> dict[str, Any]:
    """The `opt` of a route whose 200 answers are cached."""
    return {CACHE_OPTION: CachePolicy(frozenset(topics), lifetime, max_age)}
