"""A file's content is its identity: the same content is imported once, under whatever name."""

from __future__ import annotations

from pathlib import Path

from liuying.kit.files import sha256_of
from liuying.kit.system_errors import reason_of
from liuying.media.errors import UnreadableError


def hash_file(source: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal digits.

    Raises:
        UnreadableError: The system does not let it be read.
    """
    try:
        return sha256_of(source).hex()
    except OSError as error:
        raise UnreadableError(reason_of(error)) from error
