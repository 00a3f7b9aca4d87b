"""Keyed one-way hashes of what must not be stored: data codes and network addresses
(docs/product.md#identity, docs/security.md#t25).

A bare hash of a 12-character code or an IPv4 address can be reversed by trying all values. With a
key that only this installation has it cannot.
"""

from __future__ import annotations

import base64
import hmac

ALIAS_LENGTH = 8


class KeyedHashes:
    """HMAC-SHA256 under the installation's pepper, separated by purpose.

    Args:
        pepper: 32 random bytes of `secrets.json`.
    """

    def __init__(self, pepper: bytes) -> None:
        self._pepper = pepper

    def digest(self, purpose: str, *parts: object) -> bytes:
        """32 bytes; different for every purpose and every list of parts."""
        # Each part carries its length, so that different lists never join into the same bytes.
        texts = [str(part).encode() for part in (purpose, *parts)]
        joined = b"".join([len(text).to_bytes(4, "big") + text for text in texts])
        # In one call: the module's objects take twice as long.
        return hmac.digest(self._pepper, joined, "sha256")

    def code(self, code: str) -> str:
        """What is stored instead of a data code: 64 hexadecimal digits."""
        return self.digest("code", code).hex()

    def network(self, purpose: str, network: str, period: int) -> str:
        """Stored instead of a client's network, for one purpose and one period (a day's number,
        say).
        """
        return self.digest("network", purpose, network, period).hex()

    def alias(self, *parts: object) -> str:
        """8 characters that others see instead of a visitor's code."""
        return base64.b32encode(self.digest("alias", *parts)).decode().lower()[:ALIAS_LENGTH]
