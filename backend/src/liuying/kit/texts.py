"""Texts that people typed: what of them is kept."""

from __future__ import annotations

import string
import unicodedata

from liuying.kit.errors import InvalidInputError

# Unicode's general categories of controls, formats, halves of pairs, and ends of lines and
# paragraphs.
HIDDEN_KINDS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
JOINERS = "\u200c\u200d"


def clean_text(text: str) -> str:
    """A text on one line that says what it shows.

    Controls, line ends, marks of writing direction and other signs without a shape become blanks,
    blanks are joined. The two joiners stay: emoji and some scripts need them.

    Returns:
        The text; empty where nothing of it can be seen.
    """
    shown = "".join(" " if _is_hidden(sign) else sign for sign in text)
    return " ".join(shown.split()) if shown.strip(JOINERS + string.whitespace) else ""


def clean_markup(text: str) -> str:
    """Markup without controls and marks of writing direction; line ends and tabs stay.

    What was two parts may run together: clean the tags afterwards.
    """
    return "".join(sign for sign in text if sign in "\n\t" or not _is_hidden(sign))


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in HIDDEN_KINDS and sign not in JOINERS


def required_text(name: str, text: str, longest: int) -> str:
    """A cleaned text.

    Args:
        name: What it is, for the refusal.
        text: As typed.
        longest: Characters (code points) that it may have.

    Raises:
        InvalidInputError: Nothing of it can be seen, or it is too long.
    """
    cleaned = clean_text(text)
    if not cleaned:
        raise InvalidInputError(f"{name}不能是空白")
    return optional_text(name, cleaned, longest)


def optional_text(name: str, text: str, longest: int) -> str:
    """A cleaned text that may be empty.

    Raises:
        InvalidInputError: It is too long.
    """
    cleaned = clean_text(text)
    if len(cleaned) > longest:
        raise InvalidInputError(f"{name}最多 {longest} 个字")
    return cleaned
