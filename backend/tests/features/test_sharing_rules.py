"""The share link's id: what was made here is read back, and nothing else is taken for it."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.core.catalogue.share_ids import (
    ENCODED_LENGTH,
    ShareId,
    decode_share_id,
    encode_share_id,
)
from liuying.features.sharing.rules import sharer_of
from liuying.kit.errors import NotFoundError
from liuying.kit.keyed_hashes import KeyedHashes

HASHES = KeyedHashes(b"k" * 32)
SHARES = st.builds(
    ShareId, st.integers(0, 2**31 - 1), st.binary(min_size=8, max_size=8).map(bytes.hex)
)
SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@given(SHARES)
def test_an_id_is_read_back_and_shows_the_video(share: ShareId) -> None:
    text = encode_share_id(HASHES, share)
    assert len(text) == ENCODED_LENGTH
    assert decode_share_id(HASHES, text) == share
    # The web reads the first four bytes without asking.
    assert int.from_bytes(base64.urlsafe_b64decode(text + "=")[:4], "big") == share.video_id


@given(SHARES, st.integers(0, ENCODED_LENGTH - 1), st.sampled_from(SIGNS + "+/=. \x00é中"))
def test_every_other_sign_is_refused(share: ShareId, place: int, sign: str) -> None:
    text = encode_share_id(HASHES, share)
    changed = text[:place] + sign + text[place + 1 :]
    if changed != text:
        with pytest.raises(NotFoundError):
            decode_share_id(HASHES, changed)


@given(SHARES, st.integers(0, 159))
def test_every_other_bit_is_refused(share: ShareId, bit: int) -> None:
    decoded = bytearray(base64.urlsafe_b64decode(encode_share_id(HASHES, share) + "="))
    decoded[bit // 8] ^= 1 << bit % 8
    with pytest.raises(NotFoundError):
        decode_share_id(HASHES, base64.urlsafe_b64encode(decoded).decode().rstrip("="))


@given(SHARES, st.integers(0, 60), st.text(SIGNS, max_size=3))
def test_every_other_length_is_refused(share: ShareId, length: int, more: str) -> None:
    text = encode_share_id(HASHES, share)
    for changed in (text[:length], text + more, text + "=", more + text):
        if changed != text:
            with pytest.raises(NotFoundError):
                decode_share_id(HASHES, changed)


@given(st.text(max_size=40))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(NotFoundError):
        decode_share_id(HASHES, text)


def test_another_installation_made_another_id() -> None:
    share = ShareId(7, "00" * 8)
    with pytest.raises(NotFoundError):
        decode_share_id(KeyedHashes(b"q" * 32), encode_share_id(HASHES, share))


def test_two_links_of_one_visitor_look_unrelated() -> None:
    assert sharer_of(HASHES, 1, 300) != sharer_of(HASHES, 1, 301)
    assert sharer_of(HASHES, 1, 300) == sharer_of(HASHES, 1, 300)
