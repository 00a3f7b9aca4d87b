"""Clips for imports."""

from __future__ import annotations

from tests.media.conftest import clips, dubbed_clip, film_clip, fitting_clip, plain_clip, tall_clip

__all__ = ["clips", "dubbed_clip", "film_clip", "fitting_clip", "plain_clip", "tall_clip"]
