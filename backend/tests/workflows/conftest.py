"""Clips for imports."""

from __future__ import annotations

from tests.media.conftest import clips, film_clip, fitting_clip, plain_clip, tall_clip

__all__ = ["clips", "film_clip", "fitting_clip", "plain_clip", "tall_clip"]
