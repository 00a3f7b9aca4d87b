"""Which answers are cached, and for how long they allow others to cache them
(docs/product.md#wire, docs/security.md#t3).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from litestar.types import HTTPScope

from liuying.kit.representation import Header, Representation
from liuying.kit.responses import CACHE_OPTION, CachePolicy
from liuying.kit.strict_query import CALLS, is_call, query_names

STALE_WHILE_REVALIDATE = 60
# What the specification puts into a cacheable address (docs/product.md#r24); any other `uuid` may
# be a data code.
UUID_CONSTANT = b"uuid=1"


def policy_of(inner: HTTPScope) -> CachePolicy | None:
    """The cache policy of a request's answer once the framework has routed it; None if it is not
    cached.
    """
    # The framework puts the chosen route into the scope.
    options = getattr(inner.get("route_handler"), "opt", {})
    policy = options.get(CACHE_OPTION)
    return policy if isinstance(policy, CachePolicy) and _is_asked_plainly(inner) else None


def _is_asked_plainly(inner: HTTPScope) -> bool:
    """Whether the query contains only what its route reads, with every name in plain spelling.

    Anything else (a data code, `&&&`, `p%61ge`) changes no answer. Cached, it would fill the memory
    with copies here and at an edge, and a code would become part of their keys
    (docs/security.md#t3).
    """
    if not is_call(inner["path"]):
        return True
    # For a call in another spelling (`//api/`, `/%61pi/`) the query would not be part of the key.
    if not inner["raw_path"].startswith(CALLS.encode()):
        return False
    query = inner["query_string"]
    if not query:
        return True
    known = query_names(inner["route_handler"]) - {"uuid"}
    parts = (part for part in query.split(b"&") if part != UUID_CONSTANT)
    return all(part.partition(b"=")[0].decode("latin-1") in known for part in parts)


def represent(
    body: bytes, headers: Iterable[Header], policy: CachePolicy, vary: bytes
) -> Representation:
    """An answer of the framework in its cached form, with the headers of its policy.

    Args:
        vary: Names of further request headers that it varies by.
    """
    return Representation(body, _cached_headers(tuple(headers), policy, vary), is_compressible=True)


# The answers of a route have the same headers, until who may frame the site changes.
@lru_cache(maxsize=512)
def _cached_headers(
    headers: tuple[Header, ...], policy: CachePolicy, vary: bytes
) -> tuple[Header, ...]:
    dropped = {b"content-length", b"cache-control"}
    cached = [(name.lower(), value) for name, value in headers if name.lower() not in dropped]
    # What may not be used without revalidation (documents, whose headers state who may frame them)
    # is not served stale either.
    control = f"public, max-age={policy.max_age}"
    if policy.max_age:
        control += f", stale-while-revalidate={STALE_WHILE_REVALIDATE}"
    cached.append((b"cache-control", control.encode()))
    if vary:
        cached.append((b"vary", vary))
    return tuple(cached)
