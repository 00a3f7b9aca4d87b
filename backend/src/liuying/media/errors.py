"""Why a file was refused or its import failed: one small tree, each class with a sentence for
the operator.
"""

from __future__ import annotations

from liuying.kit.errors import LiuyingError


class MediaError(LiuyingError):
    """Base of all refusals. The message is one line in Chinese without the file's name."""


class EmptyFileError(MediaError):
    """The file has no bytes."""

    def __init__(self) -> None:
        super().__init__("文件是空的")


class NotVideoError(MediaError):
    """No allowed demuxer understands the file."""

    def __init__(self) -> None:
        super().__init__("不是支持的视频格式（MP4、MOV、MKV、WebM、AVI、TS、FLV、WMV、MPEG、OGG）")


class NoVideoStreamError(MediaError):
    """Readable, but without video (music, a cover picture)."""

    def __init__(self) -> None:
        super().__init__("文件里没有视频画面")


class UndecodableError(MediaError):
    """The codec is unknown, or no picture can be decoded."""

    def __init__(self, codec: str) -> None:
        super().__init__(f"画面无法解码（编码 {codec}）")


class TooManyPixelsError(MediaError):
    """The declared picture is larger than the limit; nothing was decoded."""

    def __init__(self, width: int, height: int, limit: int) -> None:
        super().__init__(f"画面过大：{width}×{height}，上限 {limit // 1_000_000} 百万像素")


class TooManyStreamsError(MediaError):
    """More streams than any real video has."""

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(f"轨道过多：{count} 条，上限 {limit} 条")


class TruncatedError(MediaError):
    """The file ends early or is damaged.

    Args:
        readable: The readable share, 0 to 1.
    """

    def __init__(self, readable: float) -> None:
        super().__init__(f"文件不完整或已损坏：只能读到 {int(readable * 100)}%")


class DamagedError(MediaError):
    """Too many pictures fail to decode.

    Args:
        damaged: How many, where that is known.
        pictures: Of how many.
    """

    def __init__(self, damaged: int = 0, pictures: int = 0) -> None:
        share = f"（{pictures} 帧里有 {damaged} 帧出错）" if damaged else ""
        super().__init__(f"文件已损坏：解码错误过多{share}，已暂停；可以选择仍要导入")


class AbsurdTimestampsError(MediaError):
    """The times of two consecutive pictures are too far apart.

    Args:
        gap: Seconds between them.
    """

    def __init__(self, gap: float) -> None:
        hours, seconds = divmod(round(gap), 3600)
        super().__init__(f"时间戳异常：相邻两帧相隔 {hours}:{seconds // 60:02}:{seconds % 60:02}")


class TooLongError(MediaError):
    """The video is longer than the limit. Both in seconds."""

    def __init__(self, seconds: float, limit: float) -> None:
        super().__init__(f"视频过长：{seconds / 3600:.1f} 小时，上限 {limit / 3600:.0f} 小时")


class JobTimeoutError(MediaError):
    """Work on the file took longer than its wall-clock limit, in seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"处理超时：超过 {round(seconds)} 秒")


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


class DiskFullError(MediaError):
    """There is not enough space for the result.

    Args:
        needed: Bytes that the result takes at most; 0 if a write failed in the middle.
        free: Bytes that are free.
        reserved: Bytes that imports leave free.
    """

    def __init__(self, needed: int = 0, free: int = 0, reserved: int = 0) -> None:
        room = (
            f"：最多需要 {_gigabytes(needed)}，另留 {_gigabytes(reserved)}，"
            f"只有 {_gigabytes(free)}；"
            if needed
            else "；"
        )
        super().__init__(f"磁盘空间不足{room}请清理磁盘，或把数据文件夹移到更大的磁盘")


class UnreadableError(MediaError):
    """The operating system refuses the file.

    Args:
        reason: The system's own message.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"无法读取文件：{reason}")


class PictureError(MediaError):
    """A given picture cannot be used.

    Args:
        reason: Why, in Chinese.
    """

    def __init__(
        self, reason: str = "图片无法读取：文件已损坏，或不是 JPEG、PNG、WebP（广告还可以是 GIF）"
    ) -> None:
        super().__init__(reason)


class ChunkError(Exception):
    """A film cannot be encoded in chunks; it is then encoded in one piece. The message is for
    the log.
    """


class TranscoderError(MediaError):
    """The transcoder failed for an unexpected reason.

    Args:
        detail: Its last line, mostly English: never the whole message.
        is_killed: A signal ended it, so the file is not to blame.
    """

    def __init__(self, detail: str, *, is_killed: bool = False) -> None:
        cause = (
            "转码程序被系统终止，多半是内存不足；请关掉别的程序，或减少同时处理的文件（LIUYING_WORKERS）"
            if is_killed
            else "转码失败，文件可能损坏，或编码少见；可以先用别的软件转成 MP4（H.264）再导入"
        )
        super().__init__(f"{cause}（转码程序：{detail[:160]}）" if detail else cause)
        self.is_killed = is_killed
