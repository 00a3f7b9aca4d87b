"""Which installations hold made-up videos: the database itself says so, wherever it is
copied to.
"""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, category, label, video
from liuying.core.playback.tables import asset
from liuying.core.visitors.tables import visitor
from liuying.features.ads.tables import ad
from liuying.features.feedback.tables import feedback
from liuying.features.notices.tables import notice
from liuying.kit.errors import InvalidInputError
from liuying.kit.provenance import INSTALLATION, is_made_up, note_made

SOURCE = "bench"
# A row in one of them is somebody's.
REAL = (video, asset, category, artist, label, visitor, feedback, notice, ad)


def claim(connection: sa.Connection, videos: int) -> None:
    """Mark an installation as one of made-up videos, for good.

    Raises:
        InvalidInputError: It holds something, made up or not.
    """
    if is_made_up(connection):
        raise InvalidInputError("这里已经填充过测试数据：请换一个空的数据文件夹")
    if any(_has_rows(connection, table) for table in REAL):
        raise InvalidInputError(
            "这里有真实的数据，不能填充测试数据：请用 LIUYING_DATA_DIR 指定一个空的文件夹"
        )
    note_made(connection, SOURCE, INSTALLATION, [videos])


def _has_rows(connection: sa.Connection, table: sa.Table) -> bool:
    found = connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1))
    return found.first() is not None
