"""The ids of share links: video, sharer and signature (docs/product.md#sharing)."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Sequence

import msgspec

from liuying.core.catalogue.schemas import VideoItem
from liuying.kit.errors import NotFoundError
from liuying.kit.keyed_hashes import KeyedHashes

VIDEO_BYTES, SHARER_BYTES, SIGNATURE_BYTES = 4, 8, 8
ENCODED_LENGTH = 27
# No sharer: the link of a list's tile, the same for everybody. It never counts a visit.
NO_SHARER = bytes(SHARER_BYTES).hex()


class ShareId(msgspec.Struct, frozen=True):
    """What a share link states.

    Attributes:
        video_id: The video it leads to.
        sharer: One-way id of the sharer, 16 hexadecimal digits; a different one for each video.
    """

    video_id: int
    sharer: str = NO_SHARER

    @property
    def has_sharer(self) -> bool:
        return self.sharer != NO_SHARER


def with_share_ids(hashes: KeyedHashes, items: Sequence[VideoItem]) -> list[VideoItem]:
    """List items, with the share id of the locked ones."""
    return [
        msgspec.structs.replace(item, share_id=encode_share_id(hashes, ShareId(item.id)))
        if item.is_locked
        else item
        for item in items
    ]


def encode_share_id(hashes: KeyedHashes, share: ShareId) -> str:
    """The id of a share link: 27 characters of base64url.

    4 bytes of video id (big-endian), 8 bytes of sharer, 8 bytes of their keyed hash.
    """
    body = share.video_id.to_bytes(VIDEO_BYTES, "big") + bytes.fromhex(share.sharer)
    return base64.urlsafe_b64encode(body + _signature(hashes, body)).decode().rstrip("=")


def decode_share_id(hashes: KeyedHashes, text: str) -> ShareId:
    """Decode and verify the id of a share link.

    Raises:
        NotFoundError: It was not made here, or was tampered with.
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
    # The last character has two unused bits, and standard base64 has other characters; only one
    # spelling is accepted.
    if encode_share_id(hashes, share) != text:
        raise NotFoundError
    return share


def _signature(hashes: KeyedHashes, body: bytes) -> bytes:
    return hashes.digest("share-link", body.hex())[:SIGNATURE_BYTES]
