"""The files of a built web application: in memory, compressed once."""

from __future__ import annotations

import mimetypes
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from litestar.types import HTTPScope, Send

from liuying.kit.refusals import send_refusal
from liuying.kit.representation import Representation, send_variant

HASHED_FOLDER = "assets"
IMMUTABLE = b"public, max-age=31536000, immutable"
REVALIDATED = b"public, max-age=0, must-revalidate"
COMPRESSIBLE = {".js", ".css", ".svg", ".json", ".webmanifest", ".html", ".txt"}
MEDIA_TYPES = {
    ".js": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
LEVEL = 9


class WebFiles:
    """The files of a built web application by their address.

    All are read at the start: a build that replaces them while the server runs does not mix with
    the pages in memory.

    Args:
        folder: Output of the web build; may be missing in development, where another server has the
            files.
        left_out: Names of files that are not sent as they are.
    """

    def __init__(self, folder: Path, left_out: Collection[str]) -> None:
        self._files = {
            f"/{file.relative_to(folder).as_posix()}": file.read_bytes()
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name not in left_out
        }
        self._ready: dict[str, Representation] = {}

    @property
    def hashed(self) -> dict[str, bytes]:
        """Those whose names follow their content: pages of another version may ask for them."""
        prefix = f"/{HASHED_FOLDER}/"
        return {path: body for path, body in self._files.items() if path.startswith(prefix)}

    def __contains__(self, path: str) -> bool:
        return path in self._files

    async def send(self, scope: HTTPScope, send: Send) -> None:
        """Answer a request for a file that is in `self`."""
        if scope["method"] not in {"GET", "HEAD"}:
            await send_refusal(send, 405, "不支持的请求方式", [(b"allow", b"GET, HEAD")])
            return
        path = scope["path"]
        if (ready := self._ready.get(path)) is None:
            ready = self._ready[path] = represent(path, self._files[path])
        await send_variant(*await ready.negotiate(scope["headers"]), scope, send)


def represent(path: str, body: bytes) -> Representation:
    """A file as it is answered, by its address."""
    suffix = PurePosixPath(path).suffix
    media_type = (
        MEDIA_TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    )
    control = IMMUTABLE if path.startswith(f"/{HASHED_FOLDER}/") else REVALIDATED
    headers = [
        (b"content-type", media_type.encode()),
        (b"cache-control", control),
        (b"x-content-type-options", b"nosniff"),
    ]
    return Representation(body, headers, is_compressible=suffix in COMPRESSIBLE, level=LEVEL)
