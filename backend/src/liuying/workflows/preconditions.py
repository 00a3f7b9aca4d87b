"""Preconditions of working on a file, and the refusals if they do not hold."""

from __future__ import annotations

import errno
import shutil
import stat
from pathlib import Path

from liuying.kit.system_errors import fault_of, reason_of
from liuying.media.errors import DiskFullError, MediaError, UnreadableError
from liuying.media.ffmpeg import ffmpeg_binary

# Never filled by an import: the database and the visitors' data need room too.
RESERVED_BYTES = 256 * 1024 * 1024
# The system's errors for a full disk.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class NotRegularFileError(MediaError):
    """A device, a pipe, a socket or a folder: reading it may never end."""

    def __init__(self) -> None:
        super().__init__("不是普通文件")


class TranscoderMissingError(MediaError):
    """The transcoder is missing or may not be executed.

    Args:
        program: Its path, as set.
    """

    def __init__(self, program: str) -> None:
        super().__init__(f"无法启动转码程序 {program}（请检查 LIUYING_FFMPEG）")


class SystemFaultError(MediaError):
    """The operating system refused something other than the operator's file.

    Args:
        error: Its error.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(fault_of(error))


def require_regular_file(source: Path) -> None:
    """Refuse everything but a regular file. Links are followed.

    Raises:
        NotRegularFileError: It is something else.
        UnreadableError: It cannot be examined.
    """
    try:
        mode = source.stat().st_mode
    except OSError as error:
        raise UnreadableError(reason_of(error)) from error
    if not stat.S_ISREG(mode):
        raise NotRegularFileError


def require_room(folder: Path, needed: int) -> None:
    """Refuse to begin what would fill the disk.

    Args:
        folder: On the disk in question.
        needed: Bytes.

    Raises:
        DiskFullError: There is less room than that plus the reserve.
    """
    free = shutil.disk_usage(folder).free
    if free < needed + RESERVED_BYTES:
        raise DiskFullError(needed, free, RESERVED_BYTES)


def require_transcoder() -> None:
    """Refuse to begin without a transcoder: the sandbox would report it in words of its own.

    Raises:
        TranscoderMissingError: No such program.
    """
    if shutil.which(ffmpeg_binary()) is None:
        raise TranscoderMissingError(ffmpeg_binary())
