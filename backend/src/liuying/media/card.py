"""Cards that messengers show beside a shared link: title, note and site name on a coloured ground
or a picture.
"""

from __future__ import annotations

import base64
import colorsys
import io
from collections.abc import Iterator
from functools import cache

import msgspec
import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageOps
from pylopdf_fonts_zh_cn import sans_path

# The size that Open Graph and Twitter show uncropped.
WIDTH, HEIGHT = 1200, 630
MAX_BYTES = 300_000
MARGIN = 72
TEXT_WIDTH = WIDTH - 2 * MARGIN
# How finely lines are balanced, pixels.
STEP = 24
TITLE_SIZE, NOTE_SIZE, BRAND_SIZE = 68, 34, 36
TITLE_LINES = 3
ICON_SIDE = 64
INK, FAINT = (255, 255, 255), (255, 255, 255, 190)
# Coral, as the emblem: for cards that have no picture to take a colour from.
DEFAULT_TINT = (255, 90, 78)
QUALITIES = (86, 78, 68, 55, 40)


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a card.

    Attributes:
        title: Large, on at most three lines.
        note: Below it, on one line.
        brand: At the foot.
        icon: A picture before the brand (PNG); None for none.
        tint: Colour of the ground: red, green, blue.
        picture: A background picture in any format; None for the coloured ground.
    """

    title: str
    note: str = ""
    brand: str = ""
    icon: bytes | None = None
    tint: tuple[int, int, int] = DEFAULT_TINT
    picture: bytes | None = None


def average_colour(thumb: str) -> tuple[int, int, int]:
    """The average colour that a ThumbHash holds; the default tint where it holds none."""
    try:
        head = int.from_bytes(base64.b64decode(thumb)[:3], "little")
    except ValueError:
        return DEFAULT_TINT
    light, yellow, reddish = head & 63, head >> 6 & 63, head >> 12 & 63
    mean, p, q = light / 63, yellow / 31.5 - 1, reddish / 31.5 - 1
    blue = mean - 2 / 3 * p
    red = (3 * mean - blue + q) / 2
    channels = (red, red - q, blue)
    return tuple(round(255 * min(1.0, max(0.0, one))) for one in channels)  # type: ignore[return-value]


def draw_card(card: Card) -> bytes:
    """A card as JPEG, 1200 × 630, of at most 300 KB."""
    ground = _picture_ground(card.picture) if card.picture else _tinted_ground(card.tint)
    pen = ImageDraw.Draw(ground, "RGBA")
    lines = _balanced(pen, card.title)
    foot = HEIGHT - MARGIN - ICON_SIDE
    height = len(lines) * round(TITLE_SIZE * 1.35) + (NOTE_SIZE * 2 if card.note else 0)
    top = max(MARGIN, (foot - height) // 2) if not card.picture else foot - height - NOTE_SIZE
    for line in lines:
        # The font comes in one weight; the outline makes it a heading.
        pen.text((MARGIN, top), line, INK, _font(TITLE_SIZE), stroke_width=1, stroke_fill=INK)
        top += round(TITLE_SIZE * 1.35)
    if card.note:
        note = next(_lines(pen, card.note, _font(NOTE_SIZE), TEXT_WIDTH, 1))
        pen.text((MARGIN, top + NOTE_SIZE // 2), note, FAINT, _font(NOTE_SIZE))
    left = MARGIN
    if card.icon:
        with Image.open(io.BytesIO(card.icon), formats=["PNG"]) as icon:
            shown = icon.convert("RGBA").resize((ICON_SIDE, ICON_SIDE), Image.Resampling.LANCZOS)
        ground.paste(shown, (left, foot), _rounded(shown))
        left += ICON_SIDE + 20
    pen.text((left, foot + ICON_SIDE // 2), card.brand, INK, _font(BRAND_SIZE), anchor="lm")
    return _within_limit(ground)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(sans_path(), size)


def _tinted_ground(tint: tuple[int, int, int]) -> Image.Image:
    """A slope from the tint, dark enough for white text, to near black."""
    hue, _, saturation = colorsys.rgb_to_hls(*(one / 255 for one in tint))
    lit = np.array(colorsys.hls_to_rgb(hue, 0.3, min(0.6, saturation))) * 255
    dark = np.array([15.0, 16.0, 20.0])
    across, down = np.meshgrid(np.linspace(0, 1, WIDTH), np.linspace(0, 1, HEIGHT))
    far = np.clip((across * 0.7 + down) / 1.5, 0, 1)[..., None]
    # Fine noise keeps the slope free of steps.
    grain = np.random.default_rng(0).normal(0, 0.8, (HEIGHT, WIDTH, 1))
    pixels = lit * (1 - far) + dark * far + grain
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8), "RGB")


def _picture_ground(content: bytes) -> Image.Image:
    with Image.open(io.BytesIO(content)) as picture:
        ground = ImageOps.fit(picture.convert("RGB"), (WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    shade = np.clip((np.arange(HEIGHT) / HEIGHT - 0.25) / 0.6, 0, 1)[:, None, None] * 0.82
    pixels = np.asarray(ground) * (1 - shade)
    return Image.fromarray(pixels.astype(np.uint8), "RGB")


def _balanced(pen: ImageDraw.ImageDraw, title: str) -> list[str]:
    """A title on as few lines as it takes, none of them much shorter than the others."""

    def lines_of(width: int) -> list[str]:
        return list(_lines(pen, title, _font(TITLE_SIZE), width, TITLE_LINES))

    lines = widest = lines_of(TEXT_WIDTH)
    if widest[-1].endswith("…"):
        return widest
    for width in range(TEXT_WIDTH - STEP, TEXT_WIDTH // 2, -STEP):
        narrower = lines_of(width)
        if len(narrower) > len(widest) or narrower[-1].endswith("…"):
            break
        lines = narrower
    return lines


def _rounded(icon: Image.Image) -> Image.Image:
    """The icon's own transparency, its corners cut as on a home screen."""
    mask = Image.new("L", icon.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, ICON_SIDE - 1, ICON_SIDE - 1), 14, fill=255)
    return ImageChops.multiply(mask, icon.getchannel("A"))


def _lines(
    pen: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, width: int, most: int
) -> Iterator[str]:
    """A text on lines of so many pixels; what does not fit on the last one ends in an ellipsis."""
    rest = text
    for number in range(1, most + 1):
        end = len(rest)
        while end > 1 and pen.textlength(rest[:end], font) > width:
            end -= 1
        if end < len(rest) and number == most:
            yield rest[: end - 1].rstrip() + "…"
            return
        # Latin words stay whole where a blank is near.
        if end < len(rest) and (blank := rest.rfind(" ", end - 12, end + 1)) > 0:
            end = blank
        yield rest[:end]
        rest = rest[end:].lstrip()
        if not rest:
            return


def _within_limit(picture: Image.Image) -> bytes:
    content = b""
    for quality in QUALITIES:
        buffer = io.BytesIO()
        picture.save(buffer, "JPEG", quality=quality, optimize=True, progressive=True)
        content = buffer.getvalue()
        if len(content) <= MAX_BYTES:
            break
    return content
