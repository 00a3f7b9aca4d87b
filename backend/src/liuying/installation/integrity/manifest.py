"""The list of a release's files with their hashes, signed by whoever builds releases.

`tools/manifest` writes it while a wheel is built. The key that signs never lies on an installation;
the one that verifies lies in the release, and an installation remembers which one it was.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from liuying.kit.files import sha256_of

# In the package's folder.
MANIFEST_NAME = "release.json"
# Made while the program runs, and compared with their sources instead.
CACHE_FOLDER = "__pycache__"


class ManifestError(Exception):
    """A manifest is not what its release's builder signed. The message is for the operator."""


class Manifest(msgspec.Struct, frozen=True):
    """A release.

    Attributes:
        version: Of the program.
        released_at: Seconds since 1970: of two, the later one is the newer release.
        files: SHA-256 in hexadecimal digits by path below the package's folder.
    """

    version: str
    released_at: int
    files: dict[str, str]


class SignedManifest(msgspec.Struct, frozen=True):
    """As stored.

    Attributes:
        manifest: The JSON of a `Manifest`, as it was signed.
        key: The public key, 32 bytes in base64.
        signature: Ed25519 (RFC 8032) of the manifest's bytes, 64 bytes in base64.
    """

    manifest: str
    key: str
    signature: str


def listed_files(folder: Path) -> Iterable[Path]:
    """All files that a release consists of: links are for the examiner to find."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if CACHE_FOLDER in inside.parts or inside == Path(MANIFEST_NAME):
            continue
        if path.is_symlink() or not path.is_dir():
            yield path


def make_manifest(folder: Path, version: str, released_at: int) -> Manifest:
    """List a package's folder."""
    files = {
        path.relative_to(folder).as_posix(): sha256_of(path).hex() for path in listed_files(folder)
    }
    return Manifest(version, released_at, files)


def sign_manifest(manifest: Manifest, key: Ed25519PrivateKey) -> bytes:
    """The content of `MANIFEST_NAME`."""
    text = msgspec.json.encode(manifest, order="sorted")
    signed = SignedManifest(
        text.decode(),
        b64encode(key.public_key().public_bytes_raw()).decode(),
        b64encode(key.sign(text)).decode(),
    )
    return msgspec.json.format(msgspec.json.encode(signed))


def read_manifest(content: bytes) -> tuple[Manifest, str]:
    """Read and verify a signed manifest.

    Returns:
        It, and the public key in base64.

    Raises:
        ManifestError: It is damaged, or the signature is not the key's.
    """
    try:
        signed = msgspec.json.decode(content, type=SignedManifest)
        key = Ed25519PublicKey.from_public_bytes(b64decode(signed.key, validate=True))
        key.verify(b64decode(signed.signature, validate=True), signed.manifest.encode())
        return msgspec.json.decode(signed.manifest, type=Manifest), signed.key
    except InvalidSignature as error:
        raise ManifestError("清单的签名不对") from error
    except (ValueError, msgspec.MsgspecError) as error:
        raise ManifestError("清单无法读取") from error
