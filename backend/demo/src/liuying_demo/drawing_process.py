"""A process beside the import that draws films: drawing is pure computation, and one process would
do it one by one.

`Drawer` is the side that asks; run as a module, this file is the side that draws. They speak in
lines: what is wanted goes in (`film KEY`, `ad KEY`), and one line comes out, empty when the files
are there, else saying why not.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType

from liuying_demo.catalogue import film_of, load_catalogue
from liuying_demo.render import RenderError, render
from liuying_demo.stills import still_of


class DrawingError(Exception):
    """A film could not be drawn; the message says why."""


class Drawer:
    """One drawing process, started at the first film and ended with the block."""

    def __init__(self, folder: Path) -> None:
        """Films are written to `folder`."""
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Drawer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.kill()
            # Leaving the block closes the pipes and waits.
            with self._process:
                pass

    def draw_film(self, key: str) -> tuple[Path, Path]:
        """Draw the film of a key.

        Returns:
            Its file and its cover.

        Raises:
            DrawingError: It could not be drawn, or the process ended.
        """
        self._ask(f"film {key}")
        return self._folder / f"{key}.mp4", self._folder / f"{key}.jpg"

    def draw_ad(self, key: str) -> Path:
        """Draw the picture of an advertisement.

        Raises:
            DrawingError: It could not be drawn, or the process ended.
        """
        self._ask(f"ad {key}")
        return self._folder / f"{key}.png"

    def _ask(self, wish: str) -> None:
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise DrawingError("the drawing process has no pipes")
        try:
            process.stdin.write(f"{wish}\n")
            process.stdin.flush()
        except BrokenPipeError:
            raise DrawingError("the drawing process ended") from None
        answer = process.stdout.readline()
        if answer != "\n":
            raise DrawingError(answer.strip() or "the drawing process ended")

    def _start(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "liuying_demo.drawing_process", str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        return self._process


def main(folder: Path) -> None:
    """Draw what standard input asks for, until it closes."""
    wanted: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(wanted,), daemon=True).start()
    while True:
        try:
            _draw(wanted.get(), folder)
            print(flush=True)
        except (RenderError, OSError) as error:
            print(" ".join(str(error).split()) or type(error).__name__, flush=True)


def _draw(wish: str, folder: Path) -> None:
    kind, _, key = wish.partition(" ")
    catalogue = load_catalogue()
    if kind == "ad":
        ad = next(entry for entry in catalogue.ads if entry.key == key)
        still_of(ad).save(folder / f"{key}.png", compress_level=1)
        return
    video = next(entry for entry in catalogue.videos if entry.key == key)
    _path, cover = render(film_of(video), folder, key)
    (folder / f"{key}.jpg").write_bytes(cover)


def _listen(wanted: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        wanted.put(line.strip())
    # The asking side is gone, perhaps killed: end at once, in the middle of a film too.
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
