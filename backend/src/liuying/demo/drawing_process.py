"""A process beside the import that draws films: drawing is pure computation, and one process would do it one by one.

`Drawer` is the side that asks; run as a module, this file is the side that draws. They speak in lines: a film's key
goes in, and one line comes out when its files are there (empty) or say why not.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType

from liuying.demo.catalogue import film_of, load_catalogue
from liuying.demo.render import RenderError, render


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
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def draw(self, key: str) -> tuple[Path, Path]:
        """Draw one film.

        Returns:
            Its file and its cover.

        Raises:
            DrawingError: It could not be drawn, or the process ended.
        """
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise DrawingError("the drawing process has no pipes")
        try:
            process.stdin.write(f"{key}\n")
            process.stdin.flush()
        except BrokenPipeError:
            raise DrawingError("the drawing process ended") from None
        answer = process.stdout.readline()
        if answer != "\n":
            raise DrawingError(answer.strip() or "the drawing process ended")
        return self._folder / f"{key}.mp4", self._folder / f"{key}.jpg"

    def _start(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "liuying.demo.drawing_process", str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        return self._process


def main(folder: Path) -> None:
    """Draw what standard input asks for, until it closes."""
    entries = {entry.key: entry for entry in load_catalogue().videos}
    wanted: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(wanted,), daemon=True).start()
    while True:
        key = wanted.get()
        try:
            _path, cover = render(film_of(entries[key]), folder, key)
            (folder / f"{key}.jpg").write_bytes(cover)
            print(flush=True)
        except (RenderError, OSError) as error:
            print(" ".join(str(error).split()) or type(error).__name__, flush=True)


def _listen(wanted: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        wanted.put(line.strip())
    # The asking side is gone, perhaps killed: end at once, in the middle of a film too.
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
