"""The data code on the wire."""

from __future__ import annotations

import msgspec

from liuying.kit.visitor_code import CodeText


class CodeChange(msgspec.Struct, frozen=True):
    """The code that a visitor wants from now on; its form is checked with the specified message."""

    code: CodeText


class ChangesLeft(msgspec.Struct, frozen=True):
    """How many changes of the code are left within 24 hours."""

    left: int
