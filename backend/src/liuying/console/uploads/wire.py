"""Headers of tus 1.0 (https://tus.io/protocols/resumable-upload)."""

from __future__ import annotations

import base64
import binascii
import re
import time
from collections.abc import AsyncIterator, Callable
from email.utils import formatdate
from typing import Any

from litestar import Request
from litestar.exceptions import HTTPException

from liuying.features.uploads.rules import TooLargeError
from liuying.kit.clock import Milliseconds
from liuying.kit.errors import InvalidInputError, LiuyingError

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,termination,expiration"
RESUMABLE = {"Tus-Resumable": VERSION}
BYTES_TYPE = "application/offset+octet-stream"
# Kept, and counted, at once: so much of an interrupted request is lost at most where the server is
# killed, and so much memory a request takes.
PIECE_BYTES = 8 * 1024 * 1024
# On a slow line what came within so long is kept, too, although it is less.
PIECE_S = 3.0
MAX_METADATA = 8192
NUMBER = re.compile(r"[0-9]{1,18}")


class WrongVersionError(LiuyingError):
    """The client speaks another version: 412."""

    code = 412


class BadHeaderError(InvalidInputError):
    """A header of the protocol is missing or wrong: 400, as tus wants it."""

    code = 400


def require_version(request: Request[Any, Any, Any]) -> None:
    """
    Raises:
        WrongVersionError: The request is of another version of the protocol, or of none.
    """
    if request.headers.get("tus-resumable") != VERSION:
        raise WrongVersionError(f"只支持 tus {VERSION}")


def require_bytes(request: Request[Any, Any, Any]) -> None:
    """
    Raises:
        HTTPException: 415: the body is not what the protocol sends.
    """
    if request.headers.get("content-type", "") != BYTES_TYPE:
        raise HTTPException(status_code=415)
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise HTTPException(status_code=415)


def number_of(request: Request[Any, Any, Any], name: str) -> int:
    """A header that is a number of bytes.

    Raises:
        BadHeaderError: It is missing, or none.
    """
    text = request.headers.get(name.lower(), "")
    if NUMBER.fullmatch(text) is None:
        raise BadHeaderError(f"缺少 {name}，或不是字节数", name)
    return int(text)


def metadata_of(request: Request[Any, Any, Any]) -> dict[str, str]:
    """`Upload-Metadata`: names with texts in Base64.

    Raises:
        BadHeaderError: It is malformed, too long or not UTF-8, or a name comes twice.
    """
    return metadata_text(request.headers.get("upload-metadata", ""))


def metadata_text(header: str) -> dict[str, str]:
    """The same of a header's text.

    Raises:
        BadHeaderError: As `metadata_of`.
    """
    if len(header) > MAX_METADATA:
        raise BadHeaderError("Upload-Metadata 过长", "Upload-Metadata")
    found: dict[str, str] = {}
    for pair in header.split(",") if header.strip() else []:
        name, _, coded = pair.strip().partition(" ")
        try:
            value = base64.b64decode(coded.strip(), validate=True).decode()
        except (binascii.Error, ValueError) as error:
            raise BadHeaderError("Upload-Metadata 有误", "Upload-Metadata") from error
        if not name or not name.isascii() or name in found:
            raise BadHeaderError("Upload-Metadata 有误", "Upload-Metadata")
        found[name] = value
    return found


def http_date(moment: Milliseconds) -> str:
    """A time as `Upload-Expires` has it."""
    return formatdate(moment / 1000, usegmt=True)


async def pieces_of(
    request: Request[Any, Any, Any], most: int, timer: Callable[[], float] = time.monotonic
) -> AsyncIterator[bytes]:
    """The body in pieces of `PIECE_BYTES`, or of what came within `PIECE_S`; the last one has what
    arrived, however the request ended.

    Args:
        most: Bytes that are still to come.
        timer: Seconds.

    Raises:
        TooLargeError: There are more.
    """
    held, taken, is_more, kept_at = bytearray(), 0, True, timer()
    while is_more:
        message = await request.receive()
        if message["type"] != "http.request":  # The client is gone.
            break
        body, is_more = message["body"], message["more_body"]
        taken += len(body)
        if taken > most:
            raise TooLargeError("收到的内容比说好的多")
        held += body
        while len(held) >= PIECE_BYTES:
            yield bytes(held[:PIECE_BYTES])
            del held[:PIECE_BYTES]
            kept_at = timer()
        if held and timer() - kept_at >= PIECE_S:
            yield bytes(held)
            held.clear()
            kept_at = timer()
    if held:
        yield bytes(held)
