"""Somebody with a data code, as the tests call the application."""

from __future__ import annotations

from typing import Any

import httpx
import sqlalchemy as sa

from liuying.core.visitors.service import ensure_visitor
from liuying.features.sharing.tables import share, share_visit
from liuying.kit.visitor_code import parse_code
from tests.catalogue_factory import NOW
from tests.conftest import Client


class Visitor:
    """Calls with one data code."""

    def __init__(self, client: Client, code: str) -> None:
        self.client = client
        self.code = code

    def call(self, method: str, path: str, json: object = None) -> httpx.Response:
        return self.client.request(method, path, {"x-visitor-code": self.code}, json=json)

    def rescont(self, method: str, path: str, json: object = None) -> Any:
        """The payload of an answer that must be a success, and that nobody may keep."""
        response = self.call(method, path, json)
        assert response.status_code == 200, response.text
        assert response.headers["cache-control"] == "no-store"
        answer = response.json()
        assert answer["code"] == 200
        return answer["rescont"]

    def add(self, video_id: int) -> Any:
        return self.rescont("POST", "/api/favorites", {"id": video_id, "site": "sg"})

    def remove(self, video_id: int) -> Any:
        return self.rescont("DELETE", "/api/favorites", {"id": video_id, "site": "sg"})

    def favourites(self) -> list[Any]:
        """Every favourite, page by page."""
        found: list[Any] = []
        path: str | None = "/api/favorites?site=sg&page=1"
        while path is not None:
            page = self.rescont("GET", path)
            found += page["data"]
            path = page["next_page_url"]
        assert page["total"] == len(found)
        return found

    def ids(self) -> list[int]:
        return [one["id"] for one in self.favourites()]

    def total(self) -> int:
        return int(self.rescont("GET", "/api/favorites/total?site=sg")["total"])

    def change(self, new: str) -> httpx.Response:
        """Ask for another code, and use it from now on where it was signed."""
        response = self.call("POST", "/api/visitor/code", {"code": new})
        if response.status_code == 200:
            self.code = new
        return response

    def share_row(self, video_id: int, visits: int, settled: int = 0) -> None:
        """Store a share of a video with visits from so many other networks, and one of the sharer's
        own.
        """
        services = self.client.services
        with services.database.write() as connection:
            visitor_id = ensure_visitor(connection, services.hashes, parse_code(self.code), NOW)
            where = sa.and_(share.c.visitor_id == visitor_id, share.c.video_id == video_id)
            connection.execute(sa.delete(share).where(where))
            values = {
                "video_id": video_id,
                "visitor_id": visitor_id,
                "sharer": f"{visitor_id:016}",
                "created_at": NOW,
            }
            share_id = connection.execute(
                sa.insert(share).values(**values, settled=settled).returning(share.c.id)
            ).scalar_one()
            for number in range(visits + 1):
                row = {
                    "share_id": share_id,
                    "network_hash": str(number),
                    "is_sharer": number == 0,
                    "seen_at": NOW,
                }
                connection.execute(sa.insert(share_visit).values(**row))
