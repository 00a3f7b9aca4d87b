"""Cleaning text that people typed."""

from __future__ import annotations

import string
import unicodedata

from liuying.kit.errors import InvalidInputError

# Unicode's general categories for control and format characters, surrogates, and line and paragraph
# separators.
HIDDEN_KINDS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
JOINERS = "\u200c\u200d"


def clean_text(text: str) -> str:
    """A single line that shows what it contains.

    Control characters, line ends, direction marks and other invisible characters become blanks, and
    runs of blanks become one. The two joiners stay: emoji and some scripts need them.

    Returns:
        The text; empty if nothing of it is visible.
    """
    shown = "".join(" " if _is_hidden(sign) else sign for sign in text)
    return " ".join(shown.split()) if shown.strip(JOINERS + string.whitespace) else ""


def clean_lines(text: str, longest: int = 0) -> str:
    """A text of several lines that says what it shows: each line cleaned, at most one blank line in
    a row.

    Args:
        text: As written.
        longest: Characters that are kept; 0 for all.

    Returns:
        The text; empty where nothing of it can be seen.
    """
    lines = [
        clean_text(line) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    whole = "\n".join(kept).strip("\n")
    return whole[:longest].rstrip() if longest else whole


def clean_markup(text: str) -> str:
    """Markup without control characters and direction marks; line ends and tabs stay.

    Removing characters may join two parts, so tags must be sanitised afterwards.
    """
    return "".join(sign for sign in text if sign in "\n\t" or not _is_hidden(sign))


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in HIDDEN_KINDS and sign not in JOINERS


def required_text(name: str, text: str, longest: int, field: str = "") -> str:
    """A cleaned text.

    Args:
        name: How to call it in a refusal.
        text: As typed.
        longest: Maximum length in code points.
        field: The value's name on the wire, for the refusal.

    Raises:
        InvalidInputError: Nothing of it is visible, or it is too long.
    """
    cleaned = clean_text(text)
    if not cleaned:
        raise InvalidInputError(f"{name}不能是空白", field)
    return optional_text(name, cleaned, longest, field)


def optional_text(name: str, text: str, longest: int, field: str = "") -> str:
    """A cleaned text that may be empty.

    Raises:
        InvalidInputError: It is too long.
    """
    cleaned = clean_text(text)
    if len(cleaned) > longest:
        raise InvalidInputError(f"{name}最多 {longest} 个字", field)
    return cleaned
