"""The right in a media address: bound to its asset and its time, letter by letter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liuying.core.playback.signed_urls import (
    GRANT_LENGTH,
    MAX_S,
    STEP_S,
    seconds_left,
    sign_prefix,
    signed_path,
)
from liuying.kit.keyed_hashes import KeyedHashes
from tests.catalogue_factory import NOW

HASHES = KeyedHashes(b"k" * 32)
KEY = "abcdefgh12345678abcd"
SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@given(st.integers(0, 2**31 * 1000))
def test_a_grant_holds_between_five_and_six_hours(now: int) -> None:
    signed_prefix = sign_prefix(HASHES, KEY, now)
    left = seconds_left(HASHES, signed_prefix.text, KEY, now)
    assert MAX_S - STEP_S < left <= MAX_S
    assert seconds_left(HASHES, signed_prefix.text, KEY, signed_prefix.expires * 1000 - 1) == 1
    assert seconds_left(HASHES, signed_prefix.text, KEY, signed_prefix.expires * 1000) == 0


def test_every_altered_sign_is_refused() -> None:
    text = sign_prefix(HASHES, KEY, NOW).text
    assert len(text) == GRANT_LENGTH
    for place in range(GRANT_LENGTH):
        for sign in SIGNS:
            changed = text[:place] + sign + text[place + 1 :]
            assert changed == text or seconds_left(HASHES, changed, KEY, NOW) == 0


def test_a_grant_is_of_one_asset() -> None:
    text = sign_prefix(HASHES, KEY, NOW).text
    assert seconds_left(HASHES, text, KEY[:-1] + "e", NOW) == 0
    assert seconds_left(KeyedHashes(b"q" * 32), text, KEY, NOW) == 0


@given(st.text(max_size=40))
def test_other_texts_are_refused(text: str) -> None:
    assert seconds_left(HASHES, text, KEY, NOW) == 0


def test_paths_keep_their_end() -> None:
    signed_prefix = sign_prefix(HASHES, KEY, NOW)
    assert (
        signed_path(signed_prefix, f"/media/{KEY}/360/index.m3u8")
        == f"/media/r/{signed_prefix.text}/{KEY}/360/index.m3u8"
    )
    assert signed_path(signed_prefix, "") == ""
