"""The only gateway to the transcoder: argument lists, safety flags, limits, progress, and the end
of its process group.

Nothing from a file or a request reaches the command line except the path of the source, as an
absolute `file:` address after `-i`.
"""

from __future__ import annotations

import errno
import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Event

import imageio_ffmpeg  # type: ignore[import-untyped]  # the package ships no types
import msgspec

from liuying.media.errors import (
    DamagedError,
    DiskFullError,
    JobTimeoutError,
    MediaError,
    TranscoderError,
)
from liuying.media.sandbox import ResourceLimits, caged, default_memory_bytes

DEMUXERS = "mov,mp4,matroska,webm,avi,mpegts,flv,asf,mpeg,ogg"
MAX_STREAMS = 32
MAX_PIXELS = 36_000_000
PROBE_BYTES = 20_000_000
# A larger share of decode errors ends the job: a damaged file is not published as intact.
MAX_ERROR_RATE = 0.05
DECODE_ERRORS_EXIT = 69
MAX_LINES = 40
VERSION_TIMEOUT_S = 20.0
# How a line of complaint tells its weight, and that a picture of the source is damaged.
LEVEL = re.compile(r"\[(panic|fatal|error|warning|info)\] ")
DAMAGED_PICTURE = re.compile(
    r"\[vist#.*(?:corrupt decoded frame|Error submitting packet to decoder)"
)
# How often a run that another thread may stop checks for it.
STOP_LOOK_S = 0.2

Report = Callable[[float], None]


@cache
def ffmpeg_binary() -> str:
    """Path of the transcoder: `LIUYING_FFMPEG` if set, otherwise the bundled one."""
    return os.environ.get("LIUYING_FFMPEG") or str(imageio_ffmpeg.get_ffmpeg_exe())


@cache
def ffmpeg_version() -> str:
    """The transcoder's description of itself: version, configuration, libraries.

    Raises:
        TranscoderError: It does not start.
    """
    try:
        command = [ffmpeg_binary(), "-version"]
        return subprocess.run(
            command, capture_output=True, check=True, timeout=VERSION_TIMEOUT_S, text=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise TranscoderError(str(error)) from error


def has_zimg() -> bool:
    """Whether the transcoder was built with zimg (`zscale`), as the bundled one is.

    Raises:
        TranscoderError: It does not start.
    """
    return "--enable-libzimg" in ffmpeg_version()


def input_arguments(source: Path, *, before: tuple[str, ...] = ()) -> list[str]:
    """Arguments for opening an untrusted file.

    Args:
        source: The file.
        before: Options of this input, such as a position to start from.
    """
    return [
        *("-protocol_whitelist", "file", "-format_whitelist", DEMUXERS),
        *(
            "-max_streams",
            str(MAX_STREAMS),
            "-max_pixels",
            str(MAX_PIXELS),
            "-probesize",
            str(PROBE_BYTES),
        ),
        *before,
        *("-i", f"file:{source.absolute()}"),
    ]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One run of the transcoder.

    Attributes:
        arguments: Inputs, filters and outputs; the gateway adds the program and its global flags.
        folder: The job's own folder: the working directory, where outputs have relative names.
        duration: Expected seconds of output, for progress; 0 if unknown.
        timeout: Seconds of wall-clock time.
        output_bytes: Maximum size of each output.
        start: When the output's clock begins, in seconds, for progress.
        stop: Set by another thread to end the run early; None if nobody does.
        accepts_damage: However many pictures fail to decode, it goes on.
    """

    arguments: list[str]
    folder: Path
    duration: float
    timeout: float
    output_bytes: int
    start: float = 0.0
    stop: Event | None = None
    accepts_damage: bool = False


class JobResult(msgspec.Struct, frozen=True):
    """What a run left: pictures written by its first video output, its last lines, and how many
    pictures of the source were damaged.
    """

    frames: int
    lines: list[str]
    damaged: int = 0


def run(job: Job, report: Report | None = None) -> JobResult:
    """Run the transcoder to its end.

    Args:
        job: What to run.
        report: Called with the completed share, 0 to 1; it never goes back.

    Raises:
        CancelledError: The job was stopped.
        JobTimeoutError: The wall-clock limit was reached.
        DamagedError: Too many pictures could not be decoded.
        DiskFullError: No space for the output.
        TranscoderError: Any other failure.
    """
    command = caged([ffmpeg_binary(), *_global_arguments(job), *job.arguments], _limits(job))
    with _started(command, job.folder) as process:
        reader = _ProgressReader(job, report)
        reader.follow(process.progress, process.complaints)
        code = process.wait()
    if code != 0:
        raise _failure(code, reader.lines, job.timeout)
    return JobResult(reader.frames, list(reader.lines), reader.damaged)


def _global_arguments(job: Job) -> list[str]:
    # Warnings tell of damaged pictures; repetitions are written out so that they can be counted.
    return [
        *("-hide_banner", "-nostdin", "-nostats", "-loglevel", "repeat+level+warning", "-y"),
        *("-progress", "pipe:1", "-stats_period", "0.25"),
        *("-max_error_rate", "1" if job.accepts_damage else str(MAX_ERROR_RATE)),
    ]


def _limits(job: Job) -> ResourceLimits:
    return ResourceLimits(
        cpu_seconds=int(job.timeout * (os.cpu_count() or 1)) + 1,
        file_bytes=job.output_bytes,
        memory_bytes=default_memory_bytes(),
    )


class _Process:
    """A running transcoder: the reading ends of its two pipes, and how to end it."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.progress, output = os.pipe()
        self.complaints, errors = os.pipe()
        try:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        except BaseException:
            self._close_pipes()
            raise
        finally:
            os.close(output)
            os.close(errors)

    def wait(self) -> int:
        """Its exit code; negative if a signal ended it."""
        return self._process.wait()

    def end(self) -> None:
        """End it in whatever state it is: afterwards its whole process group is gone."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._close_pipes()

    def _close_pipes(self) -> None:
        os.close(self.progress)
        os.close(self.complaints)


@contextmanager
def _started(command: list[str], folder: Path) -> Iterator[_Process]:
    process = _Process(command, folder)
    try:
        yield process
    finally:
        process.end()


class _ProgressReader:
    """Reads both pipes until they close: progress from one, the last error lines from the other."""

    def __init__(self, job: Job, report: Report | None) -> None:
        self._job = job
        self._report = report
        self._deadline = time.monotonic() + job.timeout
        self._share = 0.0
        self.frames = 0
        self.damaged = 0
        self.lines: deque[str] = deque(maxlen=MAX_LINES)

    def follow(self, progress: int, complaints: int) -> None:
        """Read from two descriptors until both are closed at the other end."""
        rests, stop = {progress: b"", complaints: b""}, self._job.stop
        with selectors.DefaultSelector() as selector:
            for descriptor in rests:
                selector.register(descriptor, selectors.EVENT_READ)
            while selector.get_map():
                left = self._deadline - time.monotonic()
                if left <= 0:
                    raise JobTimeoutError(self._job.timeout)
                if stop is not None and stop.is_set():
                    raise CancelledError
                for key, _ in selector.select(left if stop is None else min(left, STOP_LOOK_S)):
                    data = os.read(key.fd, 65536)
                    if not data:
                        selector.unregister(key.fd)
                    # A line without an end is cut: nothing a file causes may grow without bound.
                    *lines, rest = (rests[key.fd] + data).split(b"\n")
                    rests[key.fd] = rest[-4096:]
                    for line in lines:
                        self._take(key.fd == progress, line.decode("utf-8", "replace").strip())

    def _take(self, is_progress: bool, line: str) -> None:
        if not is_progress:
            self._note(line)
            return
        name, _, value = line.partition("=")
        if name == "frame" and value.isdecimal():
            self.frames = int(value)
        elif name == "out_time_us" and value.isdecimal() and self._report and self._job.duration:
            share = (int(value) / 1_000_000 - self._job.start) / self._job.duration
            # It tells the time of the output that is behind, and does not always count them all:
            # now and then that goes back.
            self._share = max(self._share, min(1.0, share))
            self._report(self._share)

    def _note(self, line: str) -> None:
        self.damaged += DAMAGED_PICTURE.match(line) is not None
        level = LEVEL.search(line)
        if line and (level is None or level[1] != "warning"):
            self.lines.append(LEVEL.sub("", line, count=1))


def _failure(code: int, lines: deque[str], timeout: float) -> MediaError:
    text = "\n".join(lines)
    if code == DECODE_ERRORS_EXIT:
        return DamagedError()
    if os.strerror(errno.ENOSPC) in text:
        return DiskFullError()
    if code == -signal.SIGXFSZ or os.strerror(errno.EFBIG) in text:
        return TranscoderError("结果超出大小上限")
    if code == -signal.SIGXCPU:
        return JobTimeoutError(timeout)
    return TranscoderError(lines[-1] if lines else f"退出码 {code}", is_killed=code < 0)
