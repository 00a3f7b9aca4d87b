"""What an examination says."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Severity(StrEnum):
    """How much a finding matters: something to know, to see to, or to see to now."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was found.

    Attributes:
        severity: How much it matters.
        topic: Stable name for scripts, `disk-space`.
        sentence: What is so, in plain Chinese.
        advice: What to do; empty where nothing is to be done.
    """

    severity: Severity
    topic: str
    sentence: str
    advice: str = ""


def info(topic: str, sentence: str, advice: str = "") -> Finding:
    """Worth knowing."""
    return Finding(Severity.INFO, topic, sentence, advice)


def warning(topic: str, sentence: str, advice: str) -> Finding:
    """To be seen to."""
    return Finding(Severity.WARNING, topic, sentence, advice)


def error(topic: str, sentence: str, advice: str) -> Finding:
    """Visitors or data suffer."""
    return Finding(Severity.ERROR, topic, sentence, advice)


def some(names: list[str], most: int = 5) -> str:
    """The first of a list, and how many more there are."""
    shown = "、".join(names[:most])
    return shown if len(names) <= most else f"{shown} 等 {len(names)} 个"
