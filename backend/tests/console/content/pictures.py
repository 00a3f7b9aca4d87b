"""Pictures for tests, in base64 as a form sends them."""

from __future__ import annotations

import base64
import io
import struct
import zlib

from PIL import Image


def encoded(content: bytes) -> str:
    """As a form sends it."""
    return base64.b64encode(content).decode()


def picture(kind: str = "JPEG", width: int = 64, height: int = 28, tone: int = 90) -> str:
    """A picture that can be used."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (tone, 40, 160)).save(buffer, kind)
    return encoded(buffer.getvalue())


def bomb() -> str:
    """A PNG of a few bytes that claims to have 60,000 by 60,000 pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + checksum

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    data = zlib.compress(bytes(100_000), 9)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", data), chunk(b"IEND", b""))
    return encoded(b"\x89PNG\r\n\x1a\n" + b"".join(parts))


# What is no picture, or one that must not be decoded.
BAD = {
    "nothing": "",
    "a bomb": bomb(),
    "SVG": encoded(b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    "HTML": encoded(b"<!doctype html><script>alert(1)</script>"),
    "a cut JPEG": encoded(base64.b64decode(picture())[:60]),
    "a JPEG's first bytes": encoded(b"\xff\xd8\xff\xe0" + bytes(200)),
    "PDF": encoded(b"%PDF-1.7\n" + bytes(500)),
    "BMP": picture("BMP"),
    "no base64": "???",
}
