"""What the web knows of the server's refusals."""

from __future__ import annotations

from pathlib import Path

from liuying.features.embedding.rules import REFUSED
from liuying.kit.refusals import MESSAGES

REASONS = Path(__file__).resolve().parents[3] / "web/src/screens/vendor/reason.ts"


def test_every_reason_to_come_again_is_shown_at_vendor() -> None:
    """The screen shows these sentences alone, whatever stands in the address."""
    text = REASONS.read_text(encoding="utf-8")
    assert f'"{MESSAGES[401]}"' in text
    assert f'"{REFUSED}"' in text
