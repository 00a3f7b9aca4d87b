"""Columns of whole numbers, each transferred as one text: for the reason of `packed_rows`, and
without an object for each number. Apart from it, because numpy takes its time to load.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from liuying.kit.packed_rows import as_text


def read_columns(connection: sa.Connection, statement: sa.Select[Any]) -> NDArray[np.int64]:
    """All rows of a statement whose columns are whole numbers and never NULL, in no particular
    order.

    Returns:
        One row of the array for each column.
    """
    rows = statement.subquery()
    found = connection.execute(sa.select(*map(as_text, rows.c))).one()
    return np.array([as_numbers(text) for text in found])


def as_numbers(text: str | None) -> NDArray[np.int64]:
    """Parse the numbers of an aggregated text; none if it is NULL."""
    return np.zeros(0, np.int64) if text is None else np.fromstring(text, np.int64, sep=",")
