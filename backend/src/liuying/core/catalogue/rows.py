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


class ArtistIdRow(msgspec.Struct, array_like=True, order=True):
    """An artist of a video."""

    video_id: int
    artist_id: int


class CategoryRow(msgspec.Struct, array_like=True):
    """A category."""

    id: int
    name: str
    position: int
    icon: dict[str, Any] | None
    is_hidden: bool


class ArtistRow(msgspec.Struct, array_like=True):
    """An artist."""

    id: int
    name: str
    initial: str
    image: dict[str, Any] | None
    intro: str
