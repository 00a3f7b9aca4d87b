"""The pinyin library, loaded for the first text: its dictionaries take a moment and 40 MB."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

_LOADING = Lock()


class Dictionaries(NamedTuple):
    """The functions and data of the library that we use.

    Attributes:
        split: Splits a run of Han characters into known phrases.
        of_phrase: A phrase's syllables without tones.
        of_character: Every reading of a character without tone, most likely first.
        by_code: Every reading of a character with its tone, by code point, separated by commas.
    """

    split: Callable[[str], Iterable[str]]
    of_phrase: Callable[[str], Sequence[str]]
    of_character: Callable[[str], Sequence[str]]
    by_code: dict[int, str]


def dictionaries() -> Dictionaries:
    """The loaded library."""
    # Its modules import each other: two threads loading it at once would deadlock.
    with _LOADING:
        return _load()


@cache
def _load() -> Dictionaries:
    import pypinyin  # noqa: PLC0415  # the first text waits, not the program's start
    from pypinyin.pinyin_dict import pinyin_dict  # noqa: PLC0415  # as above
    from pypinyin.seg.simpleseg import seg  # noqa: PLC0415  # as above

    def of_character(character: str) -> Sequence[str]:
        readings: Any = pypinyin.pinyin(character, style=pypinyin.Style.NORMAL, heteronym=True)
        return [str(one) for one in readings[0]]

    return Dictionaries(seg, pypinyin.lazy_pinyin, of_character, pinyin_dict)
