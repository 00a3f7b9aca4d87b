"""The data code on the wire."""

from __future__ import annotations

import msgspec

from liuying.kit.visitor_code import CodeText


class CodeChange(msgspec.Struct, frozen=True):
    """The new code that a visitor wants; its form is validated with the specified message."""

    code: CodeText


class ChangesLeft(msgspec.Struct, frozen=True):
    """Number of code changes left within 24 hours."""

    left: int
