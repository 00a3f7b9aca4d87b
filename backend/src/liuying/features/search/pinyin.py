"""Pinyin: the readings of a text, and what letters typed for it may mean.

The readings of a text are one line: runs of Han characters separated by `;`, characters by a blank,
readings of a character by `/`, most likely first: `zhong/chong qing;cha yuan su`. Tones are left
out; `ü` is `v`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise, product

from liuying.features.search.folding import SEEN_TEXTS
from liuying.features.search.pinyin_dictionaries import dictionaries

HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff]+")
LETTERS = re.compile("[a-z]+")
# How a syllable with ü is typed without v.
UMLAUT = {"lue": "lve", "nue": "nve"}
# Readings of a character that make syllables of Mandarin, and that beginnings are spelled with.
MAX_READINGS = 3
MAX_SPLITS = 8
MAX_SYLLABLE_LENGTH = 6
# For a character in no dictionary.
UNKNOWN = "x"
VOWELS = frozenset("aeiouv")
# The fewest initials with a meaning: two letters are the beginning of a syllable or a foreign word.
FEWEST_INITIALS = 3

Run = Sequence[Sequence[str]]
Syllables = tuple[str, ...]


def load_dictionaries() -> None:
    """Load now what the first text would otherwise wait for: 0.2 s, 40 MB and a quarter of a
    million objects.
    """
    syllables_of_mandarin()


def readings_of(texts: Iterable[str]) -> str:
    """The readings of folded texts."""
    return ";".join(dict.fromkeys(run for text in texts for run in _readings_of_runs(text)))


@lru_cache(maxsize=SEEN_TEXTS)
def _readings_of_runs(text: str) -> tuple[str, ...]:
    return tuple(_readings_of_run(run) for run in HAN.findall(text))


@lru_cache(maxsize=SEEN_TEXTS)
def _readings_of_run(run: str) -> str:
    return " ".join("/".join(sounds) for sounds in _sounds_of_run(run))


def _sounds_of_run(run: str) -> list[Syllables]:
    in_phrase = [
        sound for phrase in dictionaries().split(run) for sound in _readings_of_phrase(phrase)
    ]
    if len(in_phrase) != len(run):  # A character without a reading joined its neighbours.
        return [readings_of_sign(sign) for sign in run]
    return [_readings_in_phrase(sign, sound) for sign, sound in zip(run, in_phrase, strict=True)]


@lru_cache(maxsize=50_000)  # Looking up a word takes long, and words recur.
def _readings_of_phrase(phrase: str) -> Syllables:
    return tuple(dictionaries().of_phrase(phrase))


@lru_cache(maxsize=50_000)
def _readings_in_phrase(sign: str, sound: str) -> Syllables:
    """The dictionary's reading of a phrase comes first, but it is sometimes wrong, so the others
    count too.

    Which readings a character has does not depend on the phrase: searches in memory know
    characters alone (`reading_matches`).
    """
    rest = readings_of_sign(sign)
    return tuple(dict.fromkeys([sound, *rest])) if sound in rest else rest


@cache  # At most one entry per Unicode character.
def readings_of_sign(sign: str) -> Syllables:
    """All readings of a Han character, most likely first."""
    sounds = dictionaries().of_character(sign)
    return tuple(one for one in sounds if LETTERS.fullmatch(one)) or (UNKNOWN,)


def runs_of(readings: str) -> list[Run]:
    """A line of readings as runs of characters with their readings."""
    return (
        [[sounds.split("/") for sounds in run.split(" ")] for run in readings.split(";")]
        if readings
        else []
    )


def reading_tokens(readings: str) -> set[str]:
    """The tokens by which readings are found: syllables, pairs of neighbouring syllables, and
    three initials in a row.
    """
    return set[str]().union(*map(_tokens_of_run, readings.split(";"))) if readings else set()


@lru_cache(maxsize=SEEN_TEXTS)
def _tokens_of_run(readings: str) -> frozenset[str]:
    [run] = runs_of(readings)
    tokens = {f"s{one}" for sounds in run for one in sounds}
    for left, right in pairwise(run):
        tokens.update(f"p{one}0{other}" for one, other in product(left, right))
    initials = [{one[0] for one in sounds} for sounds in run]
    for three in zip(initials, initials[1:], initials[2:], strict=False):
        tokens.update(f"i{''.join(letters)}" for letters in product(*three))
    return frozenset(tokens)


def tokens_of_syllables(syllables: Syllables) -> list[str]:
    """The tokens of readings that contain these syllables in a row."""
    if len(syllables) == 1:
        return [f"s{syllables[0]}"]
    return [f"p{one}0{other}" for one, other in pairwise(syllables)]


def tokens_of_initials(letters: str) -> list[str]:
    """The tokens of readings that contain these initials in a row, at least three letters."""
    return [f"i{letters[place : place + 3]}" for place in range(len(letters) - 2)]


def has_syllables(readings: str, syllables: Syllables) -> bool:
    """Whether syllables occur in a row."""
    return any(
        all(one in sounds for one, sounds in zip(syllables, run[place:], strict=False))
        for run in runs_of(readings)
        for place in range(len(run) - len(syllables) + 1)
    )


def is_nearly_read(readings: str, syllables: Sequence[str]) -> bool:
    """Whether syllables occur in a row, with at most one different."""
    return any(
        sum(one not in sounds for one, sounds in zip(syllables, run[place:], strict=False)) <= 1
        for run in runs_of(readings)
        for place in range(len(run) - len(syllables) + 1)
    )


def has_initials(readings: str, letters: str) -> bool:
    """Whether the initials of consecutive characters are these letters."""
    return any(
        all(
            any(one.startswith(letter) for one in sounds)
            for letter, sounds in zip(letters, run[place:], strict=False)
        )
        for run in runs_of(readings)
        for place in range(len(run) - len(letters) + 1)
    )


def splits_of(letters: str) -> list[Syllables]:
    """Ways to split letters into syllables, longest syllables first: `xian` is `xian` or `xi
    an`.
    """
    found: list[Syllables] = []
    for syllables in _splits(letters, ()):
        found.append(syllables)
        if len(found) == MAX_SPLITS:
            break
    return sorted(found, key=len)


def _splits(letters: str, before: Syllables) -> Iterator[Syllables]:
    if not letters:
        yield before
        return
    for length in range(min(MAX_SYLLABLE_LENGTH, len(letters)), 0, -1):
        syllable = UMLAUT.get(letters[:length], letters[:length])
        if syllable in syllables_of_mandarin() and _is_splittable(letters[length:]):
            yield from _splits(letters[length:], (*before, syllable))


@lru_cache(maxsize=4096)
def _is_splittable(letters: str) -> bool:
    """Whether letters form syllables at all: without this, hopeless letters would be tried in
    every way.
    """
    return not letters or any(
        UMLAUT.get(letters[:length], letters[:length]) in syllables_of_mandarin()
        and _is_splittable(letters[length:])
        for length in range(1, min(MAX_SYLLABLE_LENGTH, len(letters)) + 1)
    )


@cache
def syllables_of_mandarin() -> frozenset[str]:
    """Every syllable without tone: the readings of the 6,763 characters of GB 2312."""
    codes = (bytes((row, cell)) for row in range(0xB0, 0xF8) for cell in range(0xA1, 0xFF))
    signs = (code.decode("gb2312", "ignore") for code in codes)
    # Read from the dictionary itself: its library takes twenty times as long.
    by_code = dictionaries().by_code
    sounds = {
        sound
        for sign in signs
        if sign
        for sound in by_code.get(ord(sign), "").split(",")[:MAX_READINGS]
    }
    plain = {_without_tone(one) for one in sounds}
    return frozenset(one for one in plain if VOWELS & set(one) and (len(one) > 1 or one in "aeo"))


def _without_tone(sound: str) -> str:
    apart = unicodedata.normalize("NFD", sound).replace("u\u0308", "v")
    return "".join(sign for sign in apart if sign.isascii())
