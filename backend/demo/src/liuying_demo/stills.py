"""Pictures of the demo's advertisements: moments of its scenes, cut to the shape of each slot."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageOps

from liuying_demo.catalogue import AdEntry, number_of
from liuying_demo.scenes.film import Stage
from liuying_demo.scenes.repertoire import SCENES

# Drawn, then cut: banners 750/422, pre-rolls and pop-ups 16:9, rows 2.3:1 (specification §9),
# shorts upright.
WIDE, UPRIGHT = (832, 468), (540, 960)
ROW = (960, 417)
SHOT_SECONDS = 8.0


def still_size(entry: AdEntry) -> tuple[int, int]:
    """Width and height of an advertisement's picture."""
    if entry.slot == "SHORT_VIDEO":
        return UPRIGHT
    return WIDE if entry.slot == "PLAYBEFORE" else ROW


def still_of(entry: AdEntry) -> Image.Image:
    """An advertisement's picture."""
    size = still_size(entry)
    stage = Stage(
        *(UPRIGHT if size == UPRIGHT else WIDE),
        SHOT_SECONDS,
        np.random.default_rng([entry.seed, number_of(entry.title)]),
    )
    return ImageOps.fit(
        SCENES[entry.scene](stage)(entry.at).to_image(), size, Image.Resampling.LANCZOS
    )
