"""How an import reports its progress."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Stage(StrEnum):
    """What an import is doing, in the operator's words."""

    PROBE = "探测"
    FIRST = "首个清晰度"
    COVER = "封面"
    LADDER = "其余清晰度"
    MEND = "补齐声画"


# Called with the stage and its completed share, 0 to 1.
Progress = Callable[[Stage, float], None]


def say_nothing(_stage: Stage, _share: float) -> None:
    """For callers without interest in progress."""
