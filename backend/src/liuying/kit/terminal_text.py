"""Text for a terminal: nothing in a name can move the cursor or colour the screen
(docs/security.md#t24).
"""

from __future__ import annotations

import json

import msgspec


def printable(text: str) -> str:
    """A text without characters that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def json_text(value: object, indent: int | None = 2) -> str:
    """JSON in which every character is visible: control characters and terminal sequences are
    escaped.

    Args:
        value: Anything msgspec can encode.
        indent: Blanks per level; None puts all on one line.
    """
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=indent)
    return "".join(
        sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text
    )
