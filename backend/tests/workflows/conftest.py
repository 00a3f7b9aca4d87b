"""Clips for imports."""

from __future__ import annotations

from tests.media.conftest import clips, plain_clip, tall_clip

__all__ = ["clips", "plain_clip", "tall_clip"]
