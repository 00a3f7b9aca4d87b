"""Texts for a terminal: whatever a name holds, nothing in them moves the cursor or colours the
screen (docs/security.md#t24).
"""

from __future__ import annotations

import json

import msgspec


def printable(text: str) -> str:
    """A text without signs that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def json_text(value: object, indent: int | None = 2) -> str:
    """JSON whose every character can be shown: control characters and what steers a terminal are
    escaped.

    Args:
        value: What msgspec can write.
        indent: Blanks for each level; None puts all on one line.
    """
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=indent)
    return "".join(
        sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text
    )
