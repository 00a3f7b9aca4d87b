"""What an upload may be, and the refusals of the protocol (tus 1.0)."""

from __future__ import annotations

import re

from liuying.kit.clock import DAY_MS
from liuying.kit.errors import LiuyingError

# Unfinished uploads that got no bytes for so long are removed; finished ones are forgotten.
KEPT_MS = 7 * DAY_MS
# At most so many wait for their rest at a time, whoever began them.
MOST_UNFINISHED = 500
# How long a process that hands an upload over is believed to live.
HELD_MS = 20_000
ID = re.compile(r"[0-9a-f]{32}")


class OffsetError(LiuyingError):
    """The bytes do not begin where the upload ends, perhaps as another tab sent them: 409."""

    code = 409

    def __init__(self) -> None:
        super().__init__("上传的位置不对，可能正在另一个页面上传；会从已收到的地方继续")


class TooLargeError(LiuyingError):
    """More bytes than may be: 413."""

    code = 413


class NoRoomError(LiuyingError):
    """The disk is full, or would be: 507. The upload goes on once there is room."""

    code = 507

    def __init__(self, message: str = "服务器的磁盘满了；腾出空间后可以继续上传") -> None:
        super().__init__(message)
