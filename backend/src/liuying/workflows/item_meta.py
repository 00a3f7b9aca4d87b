"""What is known of a file to import, by all who say something of it."""

from __future__ import annotations

import msgspec

from liuying.workflows.import_manifest import Item
from liuying.workflows.side_cars import Beside, look_beside, read_cover
from liuying.workflows.video_meta import GivenMeta, VideoMeta


def meta_of(item: Item, given: GivenMeta) -> tuple[VideoMeta, Beside]:
    """What is known of a file: the command line over the manifest over what lies beside it.

    Returns:
        That, and what lies beside it.

    Raises:
        InvalidInputError: `clip.json` or the manifest's cover cannot be read, or is wrong.
    """
    beside = look_beside(item.source)
    known = beside.given.overruled_by(item.given).overruled_by(given)
    if item.choices.is_source_dated and known.created_at is None:
        known = msgspec.structs.replace(known, created_at=known.premiered_at)
    meta = known.to_meta()
    cover = beside.cover if item.cover is None else read_cover(item.cover)
    found = msgspec.structs.replace(
        meta,
        category=item.folder_category if meta.category is None else meta.category,
        cover=cover,
        subtitles=beside.tracks,
        keeps_original=item.choices.keeps_original,
        accepts_damage=item.choices.accepts_damage,
        is_hidden=item.choices.is_hidden,
        accepts_match=item.choices.accepts_match,
        beside=beside.given,
        said=frozenset(item.given.overruled_by(given).stated())
        | (frozenset() if item.cover is None else {"cover"}),
    )
    return found, beside
