"""Whether a film to be imported is one that was taken down.

Pictures that resemble each other are found first. They count where they follow each other as they
do in the film that was taken down, at its speed or a little faster or slower: a title card, an
intro or a black picture that two films share is not enough.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from liuying.media.fingerprint import (
    CROPS,
    LOGO_CROP,
    SKETCHED_CROPS,
    TAKEN_RATE,
    Fingerprint,
    Floats,
    Hashes,
    Sketch,
)

# Of 64 significant bits, those that may differ between two pictures that are the same.
MOST_DIFFERENT = 11
# Seconds of a film that are looked at as one, and from one such window to the next.
WINDOW_S, STEP_S = 30.0, 10.0
# Speeds of the taken-down film, and seconds by which a picture may be off.
SPEEDS = np.arange(0.93, 1.0701, 0.0025)
OFF_S = 0.5
# Pictures that differ in more bits than this are different scenes.
SAME_SCENE = 10
LEAST_SCENES = 2
# Pairs of pictures that are compared at a time.
PAIRS_AT_ONCE = 1 << 20

Hits = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]


class Demand(msgspec.Struct, frozen=True):
    """How much of a film must match.

    Attributes:
        window_share: The share of a window's pictures, 0 to 1.
        window_pictures: Their least number.
        film_share: What matches is this share of one of the two films.
        one_scene_share: Where all that matches is one scene, it is this share of both films.
    """

    window_share: float
    window_pictures: int
    film_share: float
    one_scene_share: float


CLOSE = Demand(window_share=0.5, window_pictures=3, film_share=0.5, one_scene_share=0.8)
# Of few pictures chance may miss many.
GLANCE = Demand(window_share=0.45, window_pictures=1, film_share=0.2, one_scene_share=0.0)


class Match(msgspec.Struct, frozen=True):
    """Seconds of a film that are those of one that was taken down.

    Attributes:
        spans: From and to in the film, in seconds, in order, not overlapping.
        share: Of the shorter film that matches, 0 to 1.
    """

    spans: tuple[tuple[float, float], ...]
    share: float


def may_match(glance: Sketch, taken: Fingerprint) -> bool:
    """Whether a closer look at a film could find that it is one that was taken down.

    Args:
        glance: Few of its pictures.
    """
    return next(_matches(glance, taken, GLANCE), None) is not None


def find_match(sketch: Sketch, taken: Fingerprint) -> Match | None:
    """Compare a film with one that was taken down; None if it is another one."""
    return max(_matches(sketch, taken, CLOSE), key=lambda one: one.share, default=None)


class _Seen(msgspec.Struct, frozen=True):
    """The telling pictures of a sketch."""

    times: Floats
    hashes: Hashes


def _matches(sketch: Sketch, taken: Fingerprint, demand: Demand) -> Iterator[Match]:
    """What is the same, by each way to look at the two films."""
    count = len(sketch.times)
    for place, crop in enumerate(SKETCHED_CROPS):
        # Without its corners a picture is compared with those without theirs alone.
        rows = taken.hashes[[(other == LOGO_CROP) == (crop == LOGO_CROP) for other in CROPS]]
        # As they are and mirrored, with each border cut off: all at once, since of most films
        # nothing resembles anything.
        hashes, masks = sketch.hashes[:, place].reshape(-1), sketch.masks[:, place].reshape(-1)
        pictures = np.flatnonzero(masks)
        found, columns = _hits(hashes[pictures], masks[pictures], rows.reshape(-1))
        if not len(found):
            continue
        ways, seen_at = np.divmod(pictures[found], count)
        numbers, moments = np.divmod(columns, rows.shape[1])
        for pair in np.unique(ways * len(rows) + numbers):
            way, number = divmod(int(pair), len(rows))
            of_way = slice(way * count, (way + 1) * count)
            telling = masks[of_way] != 0
            seen = _Seen(sketch.times[telling], hashes[of_way][telling])
            of_both = (ways == way) & (numbers == number)
            hits = (np.cumsum(telling) - 1)[seen_at[of_both]], moments[of_both]
            match = _match(seen, rows[number], hits, demand)
            if match is not None:
                yield match


def _match(seen: _Seen, taken: Hashes, hits: Hits, demand: Demand) -> Match | None:
    known = taken != 0
    times = seen.times
    matched, met = np.zeros(len(times), np.bool_), np.zeros(len(taken), np.bool_)
    alike = np.unique(hits[0])
    # All of a short film is fewer pictures than a window has.
    rate = len(times) / max(times[-1] - times[0], 1.0)
    whole = int(known.sum()) / TAKEN_RATE * rate
    for start in np.arange(times[0], max(times[-1] - WINDOW_S, times[0]) + STEP_S, STEP_S):
        inside = (times >= start) & (times < start + WINDOW_S)
        least = max(demand.window_pictures, demand.window_share * min(int(inside.sum()), whole))
        # Mostly they are too few, in whatever order.
        is_enough = np.count_nonzero(inside[alike]) >= least
        found = _aligned(times, hits, inside, least) if is_enough else None
        if found is not None:
            rows, columns = found
            matched[rows] = True
            met[_around(columns, len(taken), 1 / rate)] = True
    if not matched.any():
        return None
    shares = float(matched.mean()), float(met[known].mean())
    if max(shares) < demand.film_share:
        return None
    is_one_scene = _scenes(seen.hashes[matched]) < LEAST_SCENES
    if is_one_scene and min(shares) < demand.one_scene_share:
        return None
    return Match(_spans(times, matched), max(shares))


def _hits(hashes: Hashes, masks: Hashes, taken: Hashes) -> Hits:
    """Pairs of a telling picture and one of the taken-down film that resemble each other."""
    rows, columns = [], []
    known = taken != 0
    at_once = max(1, PAIRS_AT_ONCE // max(len(taken), 1))
    for start in range(0, len(hashes), at_once):
        some, mask = hashes[start : start + at_once], masks[start : start + at_once]
        different = np.bitwise_count((some[:, None] ^ taken) & mask[:, None])
        most = MOST_DIFFERENT / 64 * np.bitwise_count(mask)
        # As small whole numbers: several times as fast as between numbers of different kinds.
        alike = different <= most.astype(np.uint8)[:, None]
        if not alike.any():
            continue
        row, column = np.nonzero(alike & known)
        rows.append(row + start)
        columns.append(column)
    if not rows:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    return np.concatenate(rows), np.concatenate(columns)


def _aligned(times: Floats, hits: Hits, inside: npt.NDArray[np.bool_], least: float) -> Hits | None:
    """Those hits within a window that follow each other in both films, if they are enough."""
    rows, columns = (side[inside[hits[0]]] for side in hits)
    elapsed = times[rows] - times[inside][0]
    best, chosen = 0, None
    for speed in SPEEDS:
        begins = columns / TAKEN_RATE - speed * elapsed
        for shift in (0.0, 0.5):
            bins = np.floor(begins / (2 * OFF_S) + shift).astype(np.int64)
            pairs = np.unique(np.stack([bins, rows]), axis=1)
            values, counts = np.unique(pairs[0], return_counts=True)
            if counts.max() > best:
                best = int(counts.max())
                chosen = bins == values[counts.argmax()]
    if chosen is None or best < least:
        return None
    return rows[chosen], columns[chosen]


def _around(columns: npt.NDArray[np.intp], count: int, seconds: float) -> npt.NDArray[np.intp]:
    """The pictures that those met stand for, where one is looked at in so many seconds."""
    reach = round(seconds * TAKEN_RATE / 2)
    reached = columns[:, None] + np.arange(-reach, reach + 1)
    return np.asarray(np.clip(reached, 0, count - 1), np.intp)


def _scenes(hashes: Hashes) -> int:
    """How many pictures differ from each other."""
    scenes: list[np.uint64] = []
    for one in hashes:
        if all(np.bitwise_count(one ^ scene) > SAME_SCENE for scene in scenes):
            scenes.append(one)
    return len(scenes)


def _spans(times: Floats, matched: npt.NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    spans: list[tuple[float, float]] = []
    for time in times[matched]:
        if spans and time - spans[-1][1] <= WINDOW_S / 2:
            spans[-1] = (spans[-1][0], float(time))
        else:
            spans.append((float(time), float(time)))
    return tuple(spans)
