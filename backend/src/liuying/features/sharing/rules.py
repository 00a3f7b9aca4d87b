"""Pure rules of share-to-unlock: what a link holds, and for how long a network is remembered
(docs/product.md#sharing).
"""

from __future__ import annotations

import base64
import hmac

import msgspec

from liuying.kit.clock import DAY_MS, Milliseconds
from liuying.kit.errors import NotFoundError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import MINUTE, Limit, Rule

# Visits of distinct networks from which a video is unlocked (specification §5).
UNLOCK_COUNT = 2
VIDEO_BYTES, SHARER_BYTES, SIGNATURE_BYTES = 4, 8, 8
ENCODED_LENGTH = 27
# No hash of a network stays longer than this (docs/security.md#t25), and its key changes as often.
PERIOD: Milliseconds = 30 * DAY_MS
VISITS = Limit("share visit", (Rule(60, MINUTE),))


class ShareId(msgspec.Struct, frozen=True):
    """What a share link says.

    Attributes:
        video_id: The video that it leads to.
        sharer: One-way id of who shares it, 16 hexadecimal digits; another one for each video.
    """

    video_id: int
    sharer: str


def sharer_of(hashes: KeyedHashes, visitor_id: int, video_id: int) -> str:
    """The one-way id of a visitor as the sharer of a video: two links of one visitor are not seen
    to be related.
    """
    return hashes.digest("sharer", visitor_id, video_id)[:SHARER_BYTES].hex()


def encode_share_id(hashes: KeyedHashes, share: ShareId) -> str:
    """The id of a share link: 27 signs of base64url.

    4 bytes of the video's id (big-endian), 8 bytes of the sharer, 8 bytes of their keyed hash.
    """
    body = share.video_id.to_bytes(VIDEO_BYTES, "big") + bytes.fromhex(share.sharer)
    return base64.urlsafe_b64encode(body + _signature(hashes, body)).decode().rstrip("=")


def decode_share_id(hashes: KeyedHashes, text: str) -> ShareId:
    """What an id says that was made here.

    Raises:
        NotFoundError: It was not, or a bit of it was changed.
    """
    if len(text) != ENCODED_LENGTH or not text.isascii():
        raise NotFoundError
    try:
        decoded = base64.b64decode(text + "=", altchars=b"-_", validate=True)
    except ValueError:
        raise NotFoundError from None
    body = decoded[: VIDEO_BYTES + SHARER_BYTES]
    if not hmac.compare_digest(decoded[VIDEO_BYTES + SHARER_BYTES :], _signature(hashes, body)):
        raise NotFoundError
    share = ShareId(int.from_bytes(body[:VIDEO_BYTES], "big"), body[VIDEO_BYTES:].hex())
    # The last sign has two bits that hold nothing, and standard base64 has other signs: one
    # spelling only.
    if encode_share_id(hashes, share) != text:
        raise NotFoundError
    return share


def _signature(hashes: KeyedHashes, body: bytes) -> bytes:
    return hashes.digest("share-link", body.hex())[:SIGNATURE_BYTES]


def period_of(now: Milliseconds) -> int:
    """The number of the period whose key hashes networks at a time."""
    return now // PERIOD
