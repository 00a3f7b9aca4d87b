"""Productions of tests' clips."""

from __future__ import annotations

from pathlib import Path

from liuying.media.plan import make_plan
from liuying.media.probe import probe
from liuying.media.production import Production
from tests.media.clips import FAST


def made(source: Path, work: Path) -> Production:
    """A production whose first rung is there."""
    work.mkdir()
    production = Production(
        plan=make_plan(probe(source), FAST), source=source, work=work, target=work / "published"
    )
    production.make_first(lambda _share: None)
    return production
