"""The data code on the wire."""

from __future__ import annotations

import msgspec


class CodeChange(msgspec.Struct, frozen=True):
    """The code that a visitor wants from now on; its form is checked with the specified message."""

    code: str


class ChangesLeft(msgspec.Struct, frozen=True):
    """How many changes of the code are left within 24 hours."""

    left: int
