"""The beginnings of a text as characters, pinyin and initials, and what was typed of them."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, product

from liuying.features.search.folding import SEEN_TEXTS, fold
from liuying.features.search.pinyin import HAN, MAX_READINGS, readings_of, runs_of

MAX_START_LENGTH, MAX_SPELLED_LENGTH, MAX_SPELLINGS = 20, 8, 6


def beginning(text: str) -> str:
    """A folded text from its first letter or digit on, up to the compared length."""
    signs = next((place for place, sign in enumerate(text) if sign.isalnum()), len(text))
    return text[signs : signs + MAX_START_LENGTH]


def starts_of(text: str) -> set[str]:
    """The beginnings of a folded text: characters, pinyin and initials."""
    signs = beginning(text)
    starts = {signs}
    run = HAN.match(text, text.find(signs[:1])) if signs else None
    if run is not None:
        starts |= _spelled_starts(run.group())
    return starts - {""}


@lru_cache(maxsize=SEEN_TEXTS)
def _spelled_starts(run: str) -> frozenset[str]:
    """The beginnings of a run of Han characters as pinyin and as initials."""
    read = runs_of(readings_of([run]))[0][:MAX_SPELLED_LENGTH]
    spelled = [sounds[:MAX_READINGS] for sounds in read]
    ways = list(islice(product(*spelled), MAX_SPELLINGS))
    starts = {"".join(way)[: MAX_START_LENGTH * 2] for way in ways}
    if len(spelled) > 1:
        starts.update("".join(one[0] for one in way) for way in ways)
    return frozenset(starts)


def typed_start(text: str) -> str:
    """What was typed, in the form of `starts_of`; pinyin may be typed with blanks and
    apostrophes.
    """
    start = beginning(fold(text))
    letters = start.replace(" ", "").replace("'", "")
    return letters if letters.isascii() and letters.isalpha() else start
