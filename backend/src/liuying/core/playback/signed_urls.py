"""Signed URLs: temporary access to the files of one asset (docs/product.md#sharing,
docs/security.md#t5).

Addresses inside playlists are relative, so that everything a playlist leads to carries the same
signature.
"""

from __future__ import annotations

import base64
import hmac

import msgspec

from liuying.kit.clock import Milliseconds
from liuying.kit.keyed_hashes import KeyedHashes

MEDIA = "/media/"
GRANTED_MEDIA = "/media/r/"
MAX_S = 6 * 3600
# URLs signed within one hour are equal, so that a browser reuses the segments it has cached.
STEP_S = 3600
EXPIRY_BYTES, SIGNATURE_BYTES = 4, 16
GRANT_LENGTH = 27
# The answer to an address without a valid signature.
LOCKED_MESSAGE = "解锁后才能观看"


class SignedPrefix(msgspec.Struct, frozen=True):
    """A signature, and the second (since 1970) at which it expires."""

    text: str
    expires: int


def sign_prefix(hashes: KeyedHashes, asset_key: str, now: Milliseconds) -> SignedPrefix:
    """Sign an asset's prefix for 5 to 6 hours."""
    expires = (now // 1000 + MAX_S) // STEP_S * STEP_S
    return SignedPrefix(_text_of(hashes, asset_key, expires), expires)


def seconds_left(hashes: KeyedHashes, text: str, asset_key: str, now: Milliseconds) -> int:
    """Seconds for which a signature is valid for an asset; 0 if it was made elsewhere, tampered
    with, has expired, or belongs to another asset.
    """
    if len(text) != GRANT_LENGTH or not text.isascii():
        return 0
    try:
        expires = int.from_bytes(base64.b64decode(text + "=", altchars=b"-_")[:EXPIRY_BYTES], "big")
    except ValueError:
        return 0
    # Compared as text, so that the bits count that base64 leaves unused.
    if not hmac.compare_digest(text, _text_of(hashes, asset_key, expires)):
        return 0
    return max(0, expires - now // 1000)


def signed_path(signed_prefix: SignedPrefix, path: str) -> str:
    """`/media/{key}/…` → `/media/r/{signed_prefix}/{key}/…`; an empty path stays empty."""
    return f"{GRANTED_MEDIA}{signed_prefix.text}/{path.removeprefix(MEDIA)}" if path else path


def _text_of(hashes: KeyedHashes, asset_key: str, expires: int) -> str:
    signature = hashes.digest("media-signed_prefix", asset_key, expires)[:SIGNATURE_BYTES]
    return (
        base64.urlsafe_b64encode(expires.to_bytes(EXPIRY_BYTES, "big") + signature)
        .decode()
        .rstrip("=")
    )
