"""An authenticator in software: makes passkeys and signs with them (W3C Web Authentication 3)."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Any

import cbor2
import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40


class Authenticator:
    """Holds one passkey.

    Args:
        origin: What it believes the page's origin to be.
        host: The relying party that the passkey is bound to.
        flags: What it says of its user.
    """

    def __init__(self, origin: str, host: str, flags: int = USER_PRESENT | USER_VERIFIED) -> None:
        self.origin, self.host, self.flags = origin, host, flags
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(32)
        self._count = 0

    def enrol(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to `navigator.credentials.create`."""
        numbers = self._key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        credential = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + public
        data = self._data(self.flags | HAS_CREDENTIAL) + credential
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._client_data("webauthn.create", options["challenge"])
        return self._answer(
            {
                "clientDataJSON": bytes_to_base64url(said),
                "attestationObject": bytes_to_base64url(attestation),
            }
        )

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to `navigator.credentials.get`."""
        self._count += 1
        data = self._data(self.flags)
        said = self._client_data("webauthn.get", options["challenge"])
        signature = self._key.sign(data + sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(
            {
                "clientDataJSON": bytes_to_base64url(said),
                "authenticatorData": bytes_to_base64url(data),
                "signature": bytes_to_base64url(signature),
            }
        )

    def _data(self, flags: int) -> bytes:
        place = sha256(self.host.encode()).digest()
        return place + bytes([flags]) + self._count.to_bytes(4, "big")

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return msgspec.json.encode({"type": kind, "challenge": challenge, "origin": self.origin})

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        shown = bytes_to_base64url(self._id)
        return {"id": shown, "rawId": shown, "type": "public-key", "response": response}
