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


# The share of an import's time before each stage, and the stage's own share.
STAGE_SHARES = {
    Stage.PROBE: (0.0, 0.05),
    Stage.FIRST: (0.05, 0.25),
    Stage.COVER: (0.3, 0.05),
    Stage.LADDER: (0.35, 0.65),
    Stage.MEND: (0.0, 1.0),
}
# Called with the stage and its completed share, 0 to 1.
Progress = Callable[[Stage, float], None]


def say_nothing(_stage: Stage, _share: float) -> None:
    """For callers without interest in progress."""


def overall(stage: Stage, share: float) -> float:
    """The completed share of an import, 0 to 1, from a stage and its share."""
    begin, length = STAGE_SHARES[stage]
    return begin + length * share
