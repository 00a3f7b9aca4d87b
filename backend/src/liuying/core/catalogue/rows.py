"""Rows that lists are built from, as `queries` reads them. Units as in `tables`."""

from __future__ import annotations

from typing import Any

import msgspec


class VideoRow(msgspec.Struct, array_like=True):
    """A video as lists need it: `queries.ROW`, and whether it is listed."""

    id: int
    title: str
    category_id: int
    category_name: str
    created_at: int
    updated_at: int
    pageviews: int
    asset_key: str | None
    duration: int
    width: int
    height: int
    playlist: str
    cover: dict[str, Any] | None
    is_gated: bool
    is_listed: bool
    is_hidden: bool


class LabelRow(msgspec.Struct, array_like=True):
    """A video's label and its position."""

    video_id: int
    position: int
    id: int
    name: str
