"""A client of tus 1.0 for tests: what `tus-js-client` sends, step by step."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import httpx

from tests.console.desk import Desk

VERSION = {"tus-resumable": "1.0.0"}
BYTES = {**VERSION, "content-type": "application/offset+octet-stream"}
PATH = "/api/uploads"


def metadata(**values: str) -> str:
    """`Upload-Metadata`."""
    return ",".join(
        f"{name} {base64.b64encode(text.encode()).decode()}" for name, text in values.items()
    )


def begin(desk: Desk, name: str, size: int, **more: str) -> httpx.Response:
    """Ask for an upload."""
    said = {"upload-length": str(size), "upload-metadata": metadata(filename=name, **more)}
    return desk.request("POST", PATH, headers={**VERSION, **said})


def begun(desk: Desk, name: str, size: int, **more: str) -> str:
    """The address of a new upload."""
    response = begin(desk, name, size, **more)
    assert response.status_code == 201, response.text
    return response.headers["location"]


def send(
    desk: Desk, address: str, start: int, content: Any, headers: Mapping[str, str] | None = None
) -> httpx.Response:
    """Send bytes from an offset on."""
    sent = {**BYTES, "upload-offset": str(start), **(headers or {})}
    return desk.request("PATCH", address, headers=sent, content=content)


def offset(desk: Desk, address: str) -> int:
    """How much is there."""
    response = desk.request("HEAD", address, headers=VERSION)
    assert response.status_code == 200, response.status_code
    return int(response.headers["upload-offset"])


def upload(desk: Desk, name: str, content: bytes, **more: str) -> str:
    """A complete upload; its id."""
    address = begun(desk, name, len(content), **more)
    response = send(desk, address, 0, content)
    assert (response.status_code, response.headers["upload-offset"]) == (204, str(len(content)))
    return address.rpartition("/")[2]


def send_broken(desk: Desk, address: str, start: int, content: bytes) -> None:
    """Send bytes from an offset on over a connection that breaks behind them."""
    sent = {**BYTES, "upload-offset": str(start), "content-length": "999999999"}
    desk.request_broken("PATCH", address, sent, content)
