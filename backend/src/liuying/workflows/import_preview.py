"""What an import would do with a file, without doing it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.core.catalogue.named_categories import DEFAULT_CATEGORY, known_category
from liuying.kit.provenance import refuse_made_up
from liuying.media.cover import open_picture
from liuying.media.plan import make_plan
from liuying.media.probe import probe
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.content_hash import hash_file
from liuying.workflows.import_result import Outcome
from liuying.workflows.import_services import ImportServices
from liuying.workflows.preconditions import require_regular_file, require_transcoder
from liuying.workflows.video_meta import VideoMeta, title_from_name


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The expected result for a file.

    Attributes:
        outcome: As an import would report it.
        title: Its future title.
        category: Name or number as given; 未分类 by default.
        rungs: Labels of the future renditions; empty if there would be none.
        seconds: Duration of the video; 0 if it was not probed.
        most_bytes: Maximum size of the result.
    """

    outcome: Outcome
    title: str
    category: int | str
    rungs: list[str]
    seconds: float
    most_bytes: int


def preview_file(services: ImportServices, source: Path, meta: VideoMeta) -> Preview:
    """Examine a file as an import would, without writing anything.

    Raises:
        MediaError: The file or its cover would be refused.
        InvalidInputError: No such category, the content was taken down, or its video is in the
            bin.
    """
    require_regular_file(source)
    content = hash_file(source)
    with services.database.read() as connection:
        refuse_made_up(connection)
        rows.refuse_taken_down(connection, content)
        known = rows.find_asset(connection, content)
        if known is not None:
            rows.refuse_removed(connection, known.key)
        known_category(connection, meta.category)
    title, category = meta.title or title_from_name(source), meta.category or DEFAULT_CATEGORY
    if known is not None and known.is_complete:
        return Preview(
            outcome=Outcome.KNOWN, title=title, category=category, rungs=[], seconds=0, most_bytes=0
        )
    require_transcoder()
    plan = make_plan(probe(source.absolute()))
    if meta.cover is not None:
        open_picture(meta.cover)
    return Preview(
        outcome=Outcome.CONTINUED if known is not None and known.is_visible else Outcome.IMPORTED,
        title=title,
        category=category,
        rungs=[rung.label for rung in plan.rungs],
        seconds=plan.probe.timing.duration,
        most_bytes=plan.output_bytes,
    )
