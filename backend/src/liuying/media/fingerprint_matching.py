"""Whether a film to be imported is one that was taken down.

Pictures that resemble each other are found first. They count where they follow each other as they
do in the film that was taken down, at its speed or a little faster or slower: a title card, an
intro or a black picture that two films share is not enough.
"""

from __future__ import annotations

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
# The share of a window's pictures that must match, and their least number.
LEAST_SHARE = 0.5
LEAST_PICTURES = 3
# What matches is this share of one of the two films.
HELD_SHARE = 0.5
# Pictures that differ in more bits than this are different scenes.
SAME_SCENE = 10
LEAST_SCENES = 2
# Where all that matches is one scene, it must be this share of both films.
ONE_SCENE_SHARE = 0.8
# Compared at a time: rows of a table with a column for each picture of the taken-down film.
ROWS_AT_ONCE = 64

Hits = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]


class Match(msgspec.Struct, frozen=True):
    """Seconds of a film that are those of one that was taken down.

    Attributes:
        spans: From and to in the film, in seconds, in order, not overlapping.
        share: Of the shorter film that matches, 0 to 1.
    """

    spans: tuple[tuple[float, float], ...]
    share: float


def find_match(sketch: Sketch, taken: Fingerprint) -> Match | None:
    """Compare a film with one that was taken down; None if it is another one."""
    best: Match | None = None
    crops = SKETCHED_CROPS * len(sketch.hashes)
    sketched = (side.reshape(len(crops), *side.shape[2:]) for side in (sketch.hashes, sketch.masks))
    for crop, hashes, masks in zip(crops, *sketched, strict=True):
        # Without its corners a picture is compared with those without theirs alone.
        rows = [
            row
            for other, row in zip(CROPS, taken.hashes, strict=True)
            if (other == LOGO_CROP) == (crop == LOGO_CROP)
        ]
        for plain_or_mirrored, mask in zip(hashes, masks, strict=True):
            telling = mask != 0
            seen = _Seen(sketch.times[telling], plain_or_mirrored[telling], mask[telling])
            for row in rows:
                found = _match(seen, row)
                if found is not None and (best is None or found.share > best.share):
                    best = found
    return best


class _Seen(msgspec.Struct, frozen=True):
    """The telling pictures of a sketch."""

    times: Floats
    hashes: Hashes
    masks: Hashes


def _match(seen: _Seen, taken: Hashes) -> Match | None:
    known = taken != 0
    times = seen.times
    if not len(times) or not known.any():
        return None
    hits = _hits(seen, taken)
    matched, met = np.zeros(len(times), np.bool_), np.zeros(len(taken), np.bool_)
    # All of a short film is fewer pictures than a window has.
    rate = len(times) / max(times[-1] - times[0], 1.0)
    whole = int(known.sum()) / TAKEN_RATE * rate
    for start in np.arange(times[0], max(times[-1] - WINDOW_S, times[0]) + STEP_S, STEP_S):
        inside = (times >= start) & (times < start + WINDOW_S)
        least = max(LEAST_PICTURES, LEAST_SHARE * min(int(inside.sum()), whole))
        found = _aligned(times, hits, inside, least)
        if found is not None:
            rows, columns = found
            matched[rows] = True
            met[_around(columns, len(taken), 1 / rate)] = True
    shares = float(matched.mean()), float(met[known].mean())
    least_shares = (
        (HELD_SHARE, 0.0)
        if _scenes(seen.hashes[matched]) >= LEAST_SCENES
        else (ONE_SCENE_SHARE,) * 2
    )
    if max(shares) < least_shares[0] or min(shares) < least_shares[1]:
        return None
    return Match(_spans(times, matched), max(shares))


def _hits(seen: _Seen, taken: Hashes) -> Hits:
    """Pairs of a picture and one of the taken-down film that resemble each other."""
    rows, columns = [], []
    known = taken != 0
    for start in range(0, len(seen.hashes), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        some, mask = seen.hashes[part], seen.masks[part]
        different = np.bitwise_count((some[:, None] ^ taken) & mask[:, None])
        most = MOST_DIFFERENT / 64 * np.bitwise_count(mask)
        row, column = np.nonzero((different <= most[:, None]) & known)
        rows.append(row + start)
        columns.append(column)
    return np.concatenate(rows), np.concatenate(columns)


def _aligned(times: Floats, hits: Hits, inside: npt.NDArray[np.bool_], least: float) -> Hits | None:
    """Those hits within a window that follow each other in both films, if they are enough."""
    rows, columns = (side[inside[hits[0]]] for side in hits)
    if len(np.unique(rows)) < least:
        return None
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
