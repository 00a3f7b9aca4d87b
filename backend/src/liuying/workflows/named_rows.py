"""Labels and artists by name: new ones are created when they are first named."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.core.catalogue.queries import names as queries
from liuying.core.catalogue.tables import artist, label
from liuying.workflows.pinyin_initials import initial_of


def set_labels(connection: sa.Connection, video_id: int, names: Sequence[str]) -> None:
    """Replace a video's labels, in order; new names become labels."""
    ids = [queries.get_or_create(connection, label, name) for name in dict.fromkeys(names)]
    queries.replace_labels(connection, video_id, ids)


def set_artists(connection: sa.Connection, video_id: int, names: Sequence[str]) -> None:
    """Replace a video's artists; new names become artists."""
    ids = [
        queries.get_or_create(connection, artist, name, initial=initial_of(name))
        for name in dict.fromkeys(names)
    ]
    queries.replace_artists(connection, video_id, ids)
