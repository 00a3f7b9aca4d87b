"""The built web application: its files in memory, compressed once, and its pages with inlined
boot data.
"""

from __future__ import annotations

import mimetypes
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path, PurePosixPath

import msgspec
from litestar.types import HTTPScope, Send

from liuying.http.branding import branded
from liuying.http.document_head import DocumentHead
from liuying.http.refusals import send_refusal
from liuying.http.representation import Representation, send_variant
from liuying.pages.schemas import BootData

HASHED_FOLDER = "assets"
IMMUTABLE = b"public, max-age=31536000, immutable"
REVALIDATED = b"public, max-age=0, must-revalidate"
# What the server itself reads: the documents, and which files each screen needs beside the entry's.
PRELOADS = "preloads.json"
PAGES = {"index.html", "shell.html", PRELOADS}
COMPRESSIBLE = {".js", ".css", ".svg", ".json", ".webmanifest", ".html", ".txt"}
MEDIA_TYPES = {
    ".js": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
LEVEL = 9
# The server replaces what stands between these marks in the built documents.
HEAD = re.compile("<!--head-->.*?<!--/head-->", re.S)


class WebFiles:
    """The files of a built web application by their address.

    All are read at the start: a build that replaces them while the server runs does not mix with
    the pages in memory.

    Args:
        folder: Output of the web build; may be missing in development, where another server has the
            files.
    """

    def __init__(self, folder: Path) -> None:
        self._files = {
            f"/{file.relative_to(folder).as_posix()}": file.read_bytes()
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name not in PAGES
        }
        self._ready: dict[str, Representation] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._files

    async def send(self, scope: HTTPScope, send: Send) -> None:
        """Answer a request for a file that is in `self`."""
        if scope["method"] not in {"GET", "HEAD"}:
            await send_refusal(send, 405, "不支持的请求方式", [(b"allow", b"GET, HEAD")])
            return
        path = scope["path"]
        if (ready := self._ready.get(path)) is None:
            ready = self._ready[path] = _represent(path, self._files[path])
        await send_variant(*await ready.negotiate(scope["headers"]), scope, send)


def _represent(path: str, body: bytes) -> Representation:
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


class ScreenFiles(msgspec.Struct, frozen=True):
    """Addresses of a screen's code and styles beside those that every screen needs."""

    scripts: list[str]
    styles: list[str]


class WebPages:
    """The HTML documents: `index.html` is the prerendered home, `shell.html` serves every other
    screen.

    Args:
        folder: Output of the web build.
    """

    def __init__(self, folder: Path) -> None:
        self._home = _split_head(folder / "index.html")
        self._shell = _split_head(folder / "shell.html")
        self._screens = _screen_files(folder / PRELOADS)

    def inline_sources(self, element: str) -> tuple[str, ...]:
        """The hashes of the documents' inline `style` or `script` elements, for the content
        security policy.
        """
        documents = ("".join(self._home), "".join(self._shell))
        texts = {
            text
            for one in documents
            for text in re.findall(f"<{element}>(.*?)</{element}>", one, re.S)
        }
        digests = (b64encode(sha256(text.encode()).digest()).decode() for text in sorted(texts))
        return tuple(f"'sha256-{digest}'" for digest in digests)

    def home(self, boot: BootData, head: DocumentHead) -> str:
        """Home with inlined data and preloaded first pictures."""
        return _fill(self._home, boot, head, "")

    def shell(self, boot: BootData, path: str, head: DocumentHead) -> str:
        """Any other screen with inlined data, and with its code and first pictures preloaded.

        Args:
            boot: The configuration, and the screen's first answers.
            path: The screen's address.
            head: Its title, description and card.
        """
        links = ""
        if (files := self._screens.get(path)) is not None:
            links += "".join(
                f'<link rel="modulepreload" crossorigin href="{url}">' for url in files.scripts
            )
            # Not as style sheets yet: the waiting emblem needs none of them, and would wait.
            links += "".join(
                f'<link rel="preload" as="style" crossorigin href="{url}">' for url in files.styles
            )
        return _fill(self._shell, boot, head, links)


def _screen_files(file: Path) -> dict[str, ScreenFiles]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, ScreenFiles])
    except FileNotFoundError:
        return {}


def _split_head(file: Path) -> tuple[str, str]:
    try:
        document = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        head = "<!doctype html><html lang=zh-CN><head><!--head--><!--/head--></head>"
        document = f"{head}<body>网页尚未构建</body></html>"
    head, end, rest = document.partition("</head>")
    return head, end + rest


def _fill(parts: tuple[str, str], boot: BootData, head: DocumentHead, links: str) -> str:
    # "<" could end the script element early; JSON may write it as an escape.
    data = msgspec.json.encode(boot).decode().replace("<", "\\u003c")
    base = boot.config.media_base
    pictures = "".join(
        f'<link rel="preload" as="fetch" crossorigin="anonymous" href="{base}{one.url}">'
        for one in boot.pictures
        if one.url
    )
    script = f'<script type="application/json" id="boot">{data}</script>'
    said = HEAD.sub(lambda _: head.markup(), parts[0], count=1)
    body = branded(parts[1], head.site)
    return f"{said}{links}{pictures}{script}{body}"
