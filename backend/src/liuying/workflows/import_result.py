"""What became of a file that was to be imported."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Outcome(StrEnum):
    """The result for a file."""

    IMPORTED = "imported"
    CONTINUED = "continued"
    KNOWN = "known"
    # The first rendition is published; the rest is left to a later import.
    BEGUN = "begun"


class ImportResult(msgspec.Struct, frozen=True):
    """The video made from a file.

    Attributes:
        video_id: In the catalogue.
        key: The key of its asset.
        outcome: Whether this call did the work.
        warning: What is wrong with the video although it was imported; empty where nothing is.
        updated: Of a known video, the fields that changed side-cars gave it.
        kept: Those that they did not, because somebody else had set them.
    """

    video_id: int
    key: str
    outcome: Outcome
    warning: str = ""
    updated: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
