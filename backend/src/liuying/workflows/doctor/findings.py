"""The results of an examination."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Severity(StrEnum):
    """How much a finding matters: information, something to do, something to do now."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Place(StrEnum):
    """Where a remedy is applied: by a button beside the finding, on another page of the console, or
    on the server alone.
    """

    BUTTON = "button"
    JOBS = "jobs"
    VIDEOS = "videos"
    FIGURES = "figures"
    CATEGORIES = "categories"
    ADS = "ads"
    BANNERS = "banners"
    LINKS = "links"
    SITE = "site"
    SERVER = "server"


class Remedy(msgspec.Struct, frozen=True):
    """What to do about a finding.

    Attributes:
        text: In plain Chinese, naming neither command nor page.
        place: Where the console leads for it.
        commands: What does it in a shell; Chinese words in it stand for values.
    """

    text: str
    place: Place = Place.SERVER
    commands: tuple[str, ...] = ()


class Finding(msgspec.Struct, frozen=True):
    """One finding.

    Attributes:
        severity: How much it matters.
        topic: Stable name for scripts, `disk-space`.
        sentence: What is the case, in plain Chinese.
        remedy: What to do; None if nothing.
        at: The time that it tells of, in the wire's form; None if of none.
    """

    severity: Severity
    topic: str
    sentence: str
    remedy: Remedy | None = None
    at: str | None = None


def info(
    topic: str, sentence: str, remedy: Remedy | None = None, *, at: str | None = None
) -> Finding:
    """Worth knowing."""
    return Finding(Severity.INFO, topic, sentence, remedy, at)


def warning(topic: str, sentence: str, remedy: Remedy) -> Finding:
    """Something to do."""
    return Finding(Severity.WARNING, topic, sentence, remedy)


def error(topic: str, sentence: str, remedy: Remedy, *, at: str | None = None) -> Finding:
    """Visitors or data suffer."""
    return Finding(Severity.ERROR, topic, sentence, remedy, at)


def some(names: list[str], most: int = 5) -> str:
    """The first items of a list, and the number of further ones."""
    shown = "、".join(names[:most])
    return shown if len(names) <= most else f"{shown} 等 {len(names)} 个"
