"""The results of an examination."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Severity(StrEnum):
    """How much a finding matters: information, something to do, something to do now."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Finding(msgspec.Struct, frozen=True):
    """One finding.

    Attributes:
        severity: How much it matters.
        topic: Stable name for scripts, `disk-space`.
        sentence: What is the case, in plain Chinese.
        advice: What to do; empty if nothing.
    """

    severity: Severity
    topic: str
    sentence: str
    advice: str = ""


def info(topic: str, sentence: str, advice: str = "") -> Finding:
    """Worth knowing."""
    return Finding(Severity.INFO, topic, sentence, advice)


def warning(topic: str, sentence: str, advice: str) -> Finding:
    """Something to do."""
    return Finding(Severity.WARNING, topic, sentence, advice)


def error(topic: str, sentence: str, advice: str) -> Finding:
    """Visitors or data suffer."""
    return Finding(Severity.ERROR, topic, sentence, advice)


def some(names: list[str], most: int = 5) -> str:
    """The first items of a list, and the number of further ones."""
    shown = "、".join(names[:most])
    return shown if len(names) <= most else f"{shown} 等 {len(names)} 个"
