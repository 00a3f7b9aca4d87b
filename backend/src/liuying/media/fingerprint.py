"""Perceptual fingerprints of films: what is kept of one that was taken down, and what is compared
of one that is imported.

Pure, but for the transcoder's command line. A picture becomes 64 bits, the signs of the lowest
frequencies of its brightness (a discrete cosine transform), which survive another encoding, another
size, a logo, a border and a change of speed. Nothing can be seen from them.

Of a film that was taken down, `TAKEN_RATE` pictures a second are kept, each as it is and as it
would be with its edges cut off. Of a film to be imported the key frames of its lowest rendition
are compared, each as it is and mirrored.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
Pictures = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

# Pictures a second of a film that was taken down.
TAKEN_RATE = 4
# Fewer key frames, or key frames that are farther apart in seconds, are too few.
LEAST_KEY_FRAMES = 16
SPARSE_S = 3.0
# Pixels of the squares that pictures are scaled to, whatever their shape, and of those hashed.
SIDE, HASHED_SIDE = 96, 32
# Shares cut off each edge: of a film that was taken down, since another version of it may be cut,
# and of one to be imported. `LOGO_CROP` leaves out the corners, where logos are: it is compared
# with itself alone.
LOGO_CROP = 0.2
CROPS = (0.0, 0.05, 0.1, LOGO_CROP)
SKETCHED_CROPS = (0.0, LOGO_CROP)
# Frequencies in each direction.
FREQUENCIES = 8
# A coefficient this near to 0, in grey levels, may change its sign in another encoding.
NOISE = 3.0
# With fewer significant coefficients a picture says nothing: black, a gradient, a plain card.
LEAST_BITS = 28
# A border varies less than this along itself, in grey levels; it takes at most this share.
BORDER_DEVIATION = 4.0
MOST_BORDER = 0.3
# An intro may have another border than the film behind it: seconds that are looked at together.
BORDER_S = 10.0
VERSION = 1


class Sketch(msgspec.Struct, frozen=True):
    """Pictures of a film to be imported.

    Attributes:
        times: Seconds from its beginning; shape (n,).
        hashes: For each way to take borders away (`_borders`), each of `SKETCHED_CROPS`, as they
            are and mirrored; shape (1 to 3, 2, 2, n).
        masks: The significant bits of each; the same shape. 0 where a picture says nothing.
    """

    times: Floats
    hashes: Hashes
    masks: Hashes


class Fingerprint(msgspec.Struct, frozen=True):
    """Pictures of a film that was taken down, `TAKEN_RATE` a second.

    Attributes:
        hashes: One row for each of `CROPS`; shape (4, n).
    """

    hashes: Hashes

    def to_bytes(self) -> bytes:
        """As stored: a version, then the hashes, little-endian."""
        return bytes([VERSION]) + self.hashes.astype("<u8").tobytes()

    @staticmethod
    def from_bytes(stored: bytes) -> Fingerprint:
        """What `to_bytes` made.

        Raises:
            ValueError: Another version made it, or it is damaged.
        """
        if stored[:1] != bytes([VERSION]):
            raise ValueError("unknown version of a fingerprint")
        values = np.frombuffer(stored, "<u8", offset=1)
        return Fingerprint(values.reshape(len(CROPS), -1).astype(np.uint64))


def picture_arguments(source: Path, pictures: str, times: str, rate: int) -> list[str]:
    """The transcoder's command line.

    Args:
        source: A rendition's file, which we made.
        pictures: Name of the output of `SIDE` * `SIDE` grey bytes a picture.
        times: Name of the output with a line a picture (FFmpeg's framecrc).
        rate: Pictures a second.
    """
    scaled = f"[0:v:0]fps={rate},scale={SIDE}:{SIDE}:flags=area,format=gray,split[a][b]"
    return [
        *("-i", f"file:{source.absolute()}", "-filter_complex", scaled),
        *("-map", "[a]", "-c:v", "rawvideo", "-f", "rawvideo", f"file:{pictures}"),
        *("-map", "[b]", "-c:v", "rawvideo", "-f", "framecrc", f"file:{times}"),
    ]


def read_pictures(pictures: Path, times: Path) -> tuple[Pictures, Floats]:
    """What the transcoder wrote: pictures of shape (n, `SIDE`, `SIDE`), and their seconds."""
    read = np.fromfile(pictures, np.uint8).reshape(-1, SIDE, SIDE)
    base, moments = 1.0, []
    for line in times.read_text("ascii").splitlines():
        if line.startswith("#tb"):
            above, _, below = line.rpartition(" ")[2].partition("/")
            base = int(above) / int(below)
        elif not line.startswith("#"):
            moments.append(int(line.split(",")[2]) * base)
    count = min(len(read), len(moments))
    return read[:count], np.array(moments[:count], np.float64)


def denser_rate(times: Floats) -> int | None:
    """Pictures a second to take where a film has too few key frames; None if it has enough.

    Args:
        times: Of its key frames, in seconds.
    """
    length = float(times[-1] - times[0]) if len(times) else 0.0
    if len(times) >= LEAST_KEY_FRAMES and length / len(times) <= SPARSE_S:
        return None
    return 1 if length > LEAST_KEY_FRAMES else TAKEN_RATE


def fingerprint_of(pictures: Pictures) -> Fingerprint:
    """The fingerprint of a film's pictures, `TAKEN_RATE` a second."""
    inside = _without_border(pictures)
    rows = []
    for crop in CROPS:
        hashes, masks = _hashed(pictures, [(slice(None), _cut(inside, crop))])
        rows.append(np.where(masks == 0, np.uint64(0), hashes))
    return Fingerprint(np.stack(rows))


def sketch_of(pictures: Pictures, times: Floats) -> Sketch:
    """The sketch of a film's pictures."""
    ways = _borders(pictures, times)
    made = [
        _hashed(
            pictures,
            [(part, _cut(inside, crop)) for part, inside in way],
            is_mirrored=is_mirrored,
        )
        for way in ways
        for crop in SKETCHED_CROPS
        for is_mirrored in (False, True)
    ]
    shape = (len(ways), len(SKETCHED_CROPS), 2, len(pictures))
    hashes, masks = (np.stack(one).reshape(shape) for one in zip(*made, strict=True))
    return Sketch(times, hashes, masks)


Range = Annotated[tuple[float, float], "from and to, in pixels"]
Inside = Annotated[tuple[Range, Range], "what is looked at, across and down"]
WHOLE: Inside = ((0.0, float(SIDE)), (0.0, float(SIDE)))
# Which pictures, and what of them.
Parts = list[tuple[slice, Inside]]


def _borders(pictures: Pictures, times: Floats) -> list[Parts]:
    """Ways to take borders away: the film's, those of its parts, and none; each once.

    The film's own is what `fingerprint_of` takes away. With something in front of it or cut off it,
    another border may be the film's, or none.
    """
    changes = np.flatnonzero(np.diff(times // BORDER_S)) + 1
    bounds = [0, *changes.tolist(), len(times)]
    parts = [slice(start, end) for start, end in itertools.pairwise(bounds)]
    whole = slice(None)
    own = [(part, _barred(_without_border(pictures[part]))) for part in parts]
    ways: list[Parts] = [[(whole, _without_border(pictures))]]
    if any(inside != ways[0][0][1] for _, inside in own):
        ways.append(own)
    if all(inside != WHOLE for way in ways for _, inside in way):
        ways.append([(whole, WHOLE)])
    return ways


def _barred(inside: Inside) -> Inside:
    """Bars at two opposite sides alone: within seconds an edge may be dark for other reasons."""
    across, down = (
        one if one[0] > 0 and one[1] < SIDE else whole
        for one, whole in zip(inside, WHOLE, strict=True)
    )
    return across, down


def _without_border(pictures: Pictures) -> Inside:
    """Where the pictures are, from the columns and the rows in which they vary."""
    if not len(pictures):
        return WHOLE
    # Not the very last picture decides: a fade to white has no border.
    across = np.quantile(pictures.std(axis=1), 0.95, axis=0)
    down = np.quantile(pictures.std(axis=2), 0.95, axis=0)
    return _inside(across), _inside(down)


def _inside(deviations: npt.NDArray[np.floating]) -> Range:
    varied = np.flatnonzero(deviations > BORDER_DEVIATION)
    most = int(SIDE * MOST_BORDER)
    if not len(varied):
        return 0.0, float(SIDE)
    first, last = int(varied[0]), int(varied[-1]) + 1
    if first > most or SIDE - last > most:
        return 0.0, float(SIDE)
    # The line beside a border is mixed with it.
    return float(first + (first > 0)), float(last - (last < SIDE))


def _cut(inside: Inside, share: float) -> Inside:
    (left, right), (top, bottom) = inside
    width, height = share * (right - left), share * (bottom - top)
    return (left + width, right - width), (top + height, bottom - height)


def _hashed(
    pictures: Pictures, parts: Parts, *, is_mirrored: bool = False
) -> tuple[Hashes, Hashes]:
    """Hashes of what is inside of the pictures, and their significant bits."""
    spectrum = np.empty((len(pictures), FREQUENCIES + 1, FREQUENCIES + 1))
    for part, inside in parts:
        across, down = (_transform(one) for one in inside)
        spectrum[part] = down @ pictures[part].astype(np.float64) @ across.T
    if is_mirrored:
        spectrum[:, :, 1::2] *= -1
    square = spectrum[:, :FREQUENCIES, :FREQUENCIES].reshape(-1, FREQUENCIES**2)
    # The mean brightness says nothing; the next frequency downwards takes its place.
    square[:, 0] = spectrum[:, FREQUENCIES, 0]
    significant = np.abs(square) > NOISE
    significant[significant.sum(axis=1) < LEAST_BITS] = False
    return _packed(square > 0), _packed(significant)


def _packed(bits: npt.NDArray[np.bool_]) -> Hashes:
    return np.packbits(bits, axis=1).view(">u8").astype(np.uint64).reshape(-1)


def _transform(inside: Range) -> Floats:
    """From the pixels of a range to its lowest frequencies; shape (`FREQUENCIES` + 1, `SIDE`)."""
    edges = np.linspace(*inside, HASHED_SIDE + 1)
    pixels = np.arange(SIDE)
    overlap = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    shares = np.clip(overlap, 0, None)
    shares /= shares.sum(axis=1, keepdims=True)
    places = (np.arange(HASHED_SIDE) + 0.5) * np.pi / HASHED_SIDE
    waves = np.cos(np.arange(FREQUENCIES + 1)[:, None] * places) * np.sqrt(2 / HASHED_SIDE)
    return np.asarray(waves @ shares, np.float64)
