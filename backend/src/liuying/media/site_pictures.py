"""Logo and icons of the site, cut out of one picture each."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from liuying.kit.errors import InvalidInputError

LOGO_SIZE = (640, 160)
MIN_ICON_SIDE = 192
# Android cuts maskable icons to a circle of four fifths of their side.
SAFE_PART = 0.8


def logo_png(picture: Image.Image) -> bytes:
    """A logo, at most 640 × 160 pixels."""
    shown = picture.convert("RGBA")
    shown.thumbnail(LOGO_SIZE, Image.Resampling.LANCZOS)
    return _png(shown)


def icon_pngs(
    picture: Image.Image, ground: str, sides: dict[str, int], filled: dict[str, float]
) -> dict[str, bytes]:
    """Icons of several sizes.

    Args:
        picture: Square, or its middle is taken.
        ground: Colour (`#rrggbb`) behind icons that may not be transparent.
        sides: Name of each icon → its side, pixels.
        filled: The icons that get the ground, and the part of the side that the picture takes.

    Raises:
        InvalidInputError: The picture is too small.
    """
    if min(picture.size) < MIN_ICON_SIDE:
        raise InvalidInputError(f"图标至少 {MIN_ICON_SIDE} × {MIN_ICON_SIDE} 像素")
    square = ImageOps.fit(picture.convert("RGBA"), (max(sides.values()),) * 2)
    return {name: _icon(square, ground, side, filled.get(name)) for name, side in sides.items()}


def _icon(square: Image.Image, ground: str, side: int, part: float | None) -> bytes:
    if part is None:
        return _png(square.resize((side, side), Image.Resampling.LANCZOS))
    inner = round(side * part)
    shown = square.resize((inner, inner), Image.Resampling.LANCZOS)
    icon = Image.new("RGB", (side, side), ground)
    icon.paste(shown, ((side - inner) // 2,) * 2, shown)
    return _png(icon)


def _png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
