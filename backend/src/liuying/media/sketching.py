"""Looking at a rendition for its fingerprint: the transcoder's runs and what they leave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from liuying.media import fingerprint
from liuying.media.fingerprint import Fingerprint, Floats, Pictures, Sketch

# In the job's folder.
PICTURES_NAME, TIMES_NAME = "fingerprint.grey", "fingerprint.times"

# Runs the transcoder in a folder with arguments.
Run = Callable[[list[str]], object]


def sketch_rendition(run: Run, folder: Path, rendition: Path) -> Sketch:
    """Look at a rendition's key frames, or closer where they are too few.

    Args:
        run: Runs the transcoder in the folder.
        folder: Where it leaves pictures for a moment.
        rendition: The file.

    Raises:
        MediaError: It cannot be read.
    """
    found = _pictures(run, folder, rendition, None)
    rate = fingerprint.denser_rate(found[1])
    seen = found if rate is None else _pictures(run, folder, rendition, rate)
    return fingerprint.sketch_of(*seen)


def fingerprint_rendition(run: Run, folder: Path, rendition: Path) -> Fingerprint:
    """Look at all of a rendition. Arguments and errors as in `sketch_rendition`."""
    pictures, _ = _pictures(run, folder, rendition, fingerprint.TAKEN_RATE)
    return fingerprint.fingerprint_of(pictures)


def _pictures(run: Run, folder: Path, rendition: Path, rate: int | None) -> tuple[Pictures, Floats]:
    run(fingerprint.picture_arguments(rendition, PICTURES_NAME, TIMES_NAME, rate))
    pictures, times = folder / PICTURES_NAME, folder / TIMES_NAME
    try:
        return fingerprint.read_pictures(pictures, times)
    finally:
        pictures.unlink(missing_ok=True)
        times.unlink(missing_ok=True)
