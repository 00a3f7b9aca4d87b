"""Keyed hashes: one way, apart by purpose."""

from __future__ import annotations

from liuying.kit.keyed_hashes import KeyedHashes

HASHES = KeyedHashes(b"p" * 32)


def test_the_same_is_the_same_and_another_key_is_another() -> None:
    assert HASHES.code("abcdef123456") == HASHES.code("abcdef123456")
    assert HASHES.code("abcdef123456") != KeyedHashes(b"q" * 32).code("abcdef123456")


def test_parts_do_not_run_together() -> None:
    assert HASHES.digest("x", "ab", "c") != HASHES.digest("x", "a", "bc")
    assert HASHES.digest("x", "a") != HASHES.digest("y", "a")


def test_a_network_is_another_in_the_next_period() -> None:
    assert HASHES.network("share", "203.0.113.7", 1) != HASHES.network("share", "203.0.113.7", 2)
    assert HASHES.network("share", "203.0.113.7", 1) != HASHES.network("limit", "203.0.113.7", 1)


def test_an_alias_has_eight_characters() -> None:
    assert len(HASHES.alias(1)) == 8
    assert HASHES.alias(1) != HASHES.alias(2)
