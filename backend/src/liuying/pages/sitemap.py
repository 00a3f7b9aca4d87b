"""Sitemaps for search engines, from the orders in memory, and robots.txt (sitemaps.org 0.9)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

import sqlalchemy as sa

from liuying.core.catalogue.age_gate import read_gate
from liuying.core.catalogue.queries.gating import gated_among, gated_categories, has_gate
from liuying.core.catalogue.rules import ALL_CATEGORIES
from liuying.core.catalogue.service import list_categories
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.topics.queries import shown_topics
from liuying.kit.errors import NotFoundError
from liuying.kit.paging import PageRequest

# Videos in one sitemap. 50,000 are allowed, but a whole sitemap is cached in memory.
VIDEOS = 5_000
PAGES, VIDEO_PART = "pages.xml", re.compile(r"videos-([1-9][0-9]{0,4})\.xml")
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
STILL = ("/home", "/rank", "/find/artist", "/find/tags", "/miin", "/favorites")


def index(connection: sa.Connection, orders: SortIndex, origin: str) -> str:
    """The index: one sitemap of pages, and as many of videos as needed."""
    if read_gate(connection).covers_site:
        return _document("sitemapindex", "sitemap", [f"{origin}/sitemaps/{PAGES}"])
    total = orders.in_category(connection, ALL_CATEGORIES, "new", PageRequest(1, 1)).total
    parts = [f"{origin}/sitemaps/{PAGES}"]
    parts += [f"{origin}/sitemaps/videos-{n}.xml" for n in range(1, -(-total // VIDEOS) + 1)]
    return _document("sitemapindex", "sitemap", parts)


def part(connection: sa.Connection, orders: SortIndex, origin: str, file_name: str) -> str:
    """One of the listed sitemaps, by its file name. Gated videos are in none.

    Raises:
        NotFoundError: There is none of this name.
    """
    if file_name == PAGES:
        return _pages(connection, orders, origin)
    if (found := VIDEO_PART.fullmatch(file_name)) is None:
        raise NotFoundError
    return _videos(connection, orders, origin, int(found[1]))


def _pages(connection: sa.Connection, orders: SortIndex, origin: str) -> str:
    """Everything but videos: screens, categories that are not gated, topics, artists."""
    gated = gated_categories(connection)
    open_ones = [one.id for one in list_categories(connection) if one.id not in gated]
    counts = orders.name_counts.of_all(connection, "artist")
    addresses = [
        *STILL,
        "/list?typeId=0&orderby=new",
        *(f"/list?typeId={number}&orderby=new" for number in open_ones),
        *(f"/topic?id={row.id}" for row in shown_topics(connection)),
        *(f"/artist-details?id={number}" for number in sorted(+counts)),
    ]
    return _document("urlset", "url", [f"{origin}{one}" for one in addresses])


def _videos(connection: sa.Connection, orders: SortIndex, origin: str, number: int) -> str:
    """Videos, the newest first; sitemaps are numbered from 1."""
    request = PageRequest(number, VIDEOS)
    found = orders.in_category(connection, ALL_CATEGORIES, "new", request)
    if not found.ids:
        raise NotFoundError
    gated = gated_among(connection, found.ids) if has_gate(connection) else set()
    shown = [one for one in found.ids if one not in gated]
    return _document("urlset", "url", [f"{origin}/playVideo?id={one}" for one in shown])


def robots(origin: str, *, is_closed: bool) -> str:
    """robots.txt. Messengers obey it, too, before they draw a card.

    Args:
        origin: For the sitemap's address; empty if unknown.
        is_closed: Whether the site requires a session.
    """
    if is_closed:
        return "User-agent: *\nDisallow: /\n"
    rules = ["User-agent: *", "Allow: /", "Disallow: /api/", "Disallow: /media/", "Disallow: /enc/"]
    if origin:
        rules += ["", f"Sitemap: {origin}/sitemap.xml"]
    return "\n".join(rules) + "\n"


def _document(root: str, entry: str, addresses: Iterable[str]) -> str:
    entries = "".join(f"<{entry}><loc>{escape(one)}</loc></{entry}>" for one in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="{NAMESPACE}">{entries}</{root}>'
