"""Titles, names and markup say what they show, whatever was typed."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from liuying.kit.texts import HIDDEN_KINDS, JOINERS, clean_markup, clean_text

OVERRIDES = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def test_no_sign_that_hides_or_turns_is_left() -> None:
    """Every sign of Unicode, between two letters."""
    for number in range(sys.maxunicode + 1):
        sign = chr(number)
        is_hidden = unicodedata.category(sign) in HIDDEN_KINDS and sign not in JOINERS
        if is_hidden:
            assert clean_text(f"a{sign}b") == "a b"
            assert clean_markup(f"a{sign}b") == (f"a{sign}b" if sign in "\n\t" else "ab")
        elif not sign.isspace():
            assert clean_text(f"a{sign}b") == clean_markup(f"a{sign}b") == f"a{sign}b"


def test_the_signs_of_the_threat_are_among_them() -> None:
    controls = "".join(map(chr, [*range(32), *range(127, 160)])) + "\u2028\u2029\ufeff\u200b\ud800"
    assert clean_text(OVERRIDES + controls) == ""
    assert clean_markup(OVERRIDES + controls) == "\t\n"


@given(st.text(st.characters() | st.sampled_from(OVERRIDES)))
def test_cleaning_again_changes_nothing(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)
    assert clean_markup(clean_markup(text)) == clean_markup(text)
