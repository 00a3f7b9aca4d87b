"""Pinyin: how a text is read, and what is meant by letters that were typed for it.

A text's readings are one line: its runs of Han characters, separated by `;`, each character by a
blank, its readings by `/`, the likeliest first: `zhong/chong qing;cha yuan su`. Tones are left out,
`ü` is `v`.
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
# What is typed for a syllable with ü where no v is used.
UMLAUT = {"lue": "lve", "nue": "nve"}
MAX_READINGS = 3
MAX_SPLITS = 8
MAX_SYLLABLE_LENGTH = 6
# Of a character that no dictionary knows.
UNKNOWN = "x"
VOWELS = frozenset("aeiouv")
# As few initials as mean something: two letters are a syllable's beginning or a word of another
# language.
FEWEST_INITIALS = 3

Run = Sequence[Sequence[str]]
Syllables = tuple[str, ...]


def load_dictionaries() -> None:
    """Load now what the first text would wait for: a fifth of a second, 40 MB, and a quarter of a
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
    if len(in_phrase) != len(run):  # a character without a reading joined its neighbours
        return [_readings_of_sign(sign) for sign in run]
    return [_readings_in_phrase(sign, sound) for sign, sound in zip(run, in_phrase, strict=True)]


@lru_cache(maxsize=50_000)  # a word of the dictionary takes long, and comes again and again
def _readings_of_phrase(phrase: str) -> Syllables:
    return tuple(dictionaries().of_phrase(phrase))


@lru_cache(maxsize=50_000)
def _readings_in_phrase(sign: str, sound: str) -> Syllables:
    """What the dictionary of phrases says comes first, but it is sometimes wrong: the others count
    as well.
    """
    rest = _readings_of_sign(sign)
    return tuple(dict.fromkeys([sound, *rest]))[:MAX_READINGS] if LETTERS.fullmatch(sound) else rest


@cache  # at most one entry for each character of Unicode
def _readings_of_sign(sign: str) -> Syllables:
    sounds = dictionaries().of_character(sign)
    return tuple(one for one in sounds if LETTERS.fullmatch(one))[:MAX_READINGS] or (UNKNOWN,)


def runs_of(readings: str) -> list[Run]:
    """A line of readings as runs of characters of readings."""
    return (
        [[sounds.split("/") for sounds in run.split(" ")] for run in readings.split(";")]
        if readings
        else []
    )


def reading_tokens(readings: str) -> set[str]:
    """What readings are found by: syllables, pairs of neighbouring syllables, and three initials in
    a row.
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
    """The tokens of readings that have these syllables in a row."""
    if len(syllables) == 1:
        return [f"s{syllables[0]}"]
    return [f"p{one}0{other}" for one, other in pairwise(syllables)]


def tokens_of_initials(letters: str) -> list[str]:
    """The tokens of readings that have these initials in a row, three letters at least."""
    return [f"i{letters[place : place + 3]}" for place in range(len(letters) - 2)]


def has_syllables(readings: str, syllables: Syllables) -> bool:
    """Whether syllables stand in a row."""
    return any(
        all(one in sounds for one, sounds in zip(syllables, run[place:], strict=False))
        for run in runs_of(readings)
        for place in range(len(run) - len(syllables) + 1)
    )


def is_nearly_read(readings: str, syllables: Sequence[str]) -> bool:
    """Whether syllables stand in a row, one of them at most another."""
    return any(
        sum(one not in sounds for one, sounds in zip(syllables, run[place:], strict=False)) <= 1
        for run in runs_of(readings)
        for place in range(len(run) - len(syllables) + 1)
    )


def has_initials(readings: str, letters: str) -> bool:
    """Whether characters whose readings begin with these letters stand in a row."""
    return any(
        all(
            any(one.startswith(letter) for one in sounds)
            for letter, sounds in zip(letters, run[place:], strict=False)
        )
        for run in runs_of(readings)
        for place in range(len(run) - len(letters) + 1)
    )


def splits_of(letters: str) -> list[Syllables]:
    """How letters may be split into syllables, the longest syllables first: `xian` is `xian` or `xi
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
    """Whether letters are syllables at all: without this, hopeless letters would be tried in every
    way.
    """
    return not letters or any(
        UMLAUT.get(letters[:length], letters[:length]) in syllables_of_mandarin()
        and _is_splittable(letters[length:])
        for length in range(1, min(MAX_SYLLABLE_LENGTH, len(letters)) + 1)
    )


@cache
def syllables_of_mandarin() -> frozenset[str]:
    """Every syllable without its tone: the readings of the 6,763 characters of GB 2312."""
    codes = (bytes((row, cell)) for row in range(0xB0, 0xF8) for cell in range(0xA1, 0xFF))
    signs = (code.decode("gb2312", "ignore") for code in codes)
    # From the dictionary itself: its library takes twenty times as long to say the same.
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
