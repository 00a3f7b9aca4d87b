"""How UTF-16 units may be read: which units stand for a syllable, and which begin with a letter."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict

import numpy as np

from liuying.features.search.pinyin import HAN, readings_of_sign
from liuying.features.search.postings import UNITS, Array

FIRST_LETTER = ord("a")
# Tables of letters that are kept: enough for what one visitor types, 4 MB.
MOST_USED = 16


class Sounds:
    """What is known of units so far. It only grows, with what occurs in texts; thread-safe."""

    def __init__(self) -> None:
        self._is_known = np.zeros(UNITS, np.bool_)
        # A bit for each letter that a reading begins with.
        self._initials = np.zeros(UNITS, np.uint32)
        self._read_as: defaultdict[str, list[int]] = defaultdict(list)
        self._learning = threading.Lock()
        # Segments ask for the same, one after another.
        self._used: OrderedDict[tuple[str, int], Array] = OrderedDict()

    def learn(self, units: Array) -> None:
        """Know these units from now on."""
        if self._is_known[units].all():
            return
        with self._learning:
            for unit in units[~self._is_known[units]].tolist():
                sign = chr(unit)
                for sound in readings_of_sign(sign) if HAN.fullmatch(sign) else ():
                    self._read_as[sound].append(unit)
                    self._initials[unit] |= 1 << (ord(sound[0]) - FIRST_LETTER)
                # Last: who does not wait for the lock finds it whole.
                self._is_known[unit] = True
            self._used = OrderedDict()

    @property
    def is_read(self) -> Array:
        """Whether each unit is a character that is read; shape (`UNITS`,)."""
        return np.asarray(self._initials, np.bool_)

    def read_as(self, syllable: str) -> Array:
        """Whether each unit may be read as a syllable; shape (`UNITS`,)."""
        is_read = np.zeros(UNITS, np.bool_)
        is_read[self._read_as.get(syllable, [])] = True
        return is_read

    def beginning_with(self, letter: str) -> Array:
        """Whether the reading of each unit may begin with a letter; shape (`UNITS`,)."""
        bit = np.uint32(1 << (ord(letter) - FIRST_LETTER))
        return np.asarray(self._initials & bit, np.bool_)

    def letters_used(self, letters: str, before: int) -> Array:
        """How many of some letters are used up after each unit, if `before` were: a bit for each
        way to read it, all of them where the last reading goes on; shape (`UNITS`,).
        """
        asked = self._used
        if (used := asked.get((letters, before))) is None:
            used = asked[letters, before] = self._letters_used(letters, before)
            while len(asked) > MOST_USED:
                asked.popitem(last=False)
        return used

    def _letters_used(self, letters: str, before: int) -> Array:
        used = np.zeros(UNITS, np.uint32)
        rest = letters[before:]
        for sound, units in list(self._read_as.items()):
            if rest.startswith(sound):
                used[units] |= np.uint32(1 << (before + len(sound)))
            elif sound.startswith(rest):
                used[units] |= np.uint32(1 << len(letters))
        return used


SOUNDS = Sounds()
