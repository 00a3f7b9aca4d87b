"""The documents of the built web application, with inlined boot data."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import msgspec

from liuying.http.branding import branded
from liuying.http.document_head import DocumentHead
from liuying.pages.schemas import BootData

# What the server itself reads: the documents, and which files each screen needs beside the entry's.
PRELOADS = "preloads.json"
PAGES = {"index.html", "list.html", "shell.html", PRELOADS}
LIST_PATH = "/list"
# The server replaces what stands between these marks in the built documents.
HEAD = re.compile("<!--head-->.*?<!--/head-->", re.S)


class ScreenFiles(msgspec.Struct, frozen=True):
    """Addresses of a screen's code and styles beside those that every screen needs."""

    scripts: list[str]
    styles: list[str]


NO_FILES = ScreenFiles([], [])


def inline_source(text: str) -> str:
    """The hash of an inline element's text, as the content security policy has it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class WebPages:
    """The HTML documents: `index.html` is the prerendered home, `list.html` a list's boxes,
    `shell.html` serves every other screen.

    Args:
        folder: Output of the web build.
    """

    def __init__(self, folder: Path) -> None:
        self._home = _split_head(folder / "index.html")
        self._list = _split_head(folder / "list.html")
        self._shell = _split_head(folder / "shell.html")
        self._screens = _screen_files(folder / PRELOADS)

    def inline_sources(self, element: str) -> tuple[str, ...]:
        """The hashes of the documents' inline `style` or `script` elements, for the content
        security policy.
        """
        documents = ("".join(one) for one in (self._home, self._list, self._shell))
        texts = {
            text
            for one in documents
            for text in re.findall(f"<{element}>(.*?)</{element}>", one, re.S)
        }
        return tuple(inline_source(text) for text in sorted(texts))

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
        files = self._screens.get(path, NO_FILES)
        links = "".join(
            f'<link rel="modulepreload" crossorigin href="{url}">' for url in files.scripts
        )
        # Without answers a list may turn out to be none: a visitor without a session is led away.
        if path == LIST_PATH and boot.answers:
            return _fill(self._list, boot, head, links)
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
    # Two videos may show one cover.
    urls = dict.fromkeys(one.url for one in boot.pictures[1 if boot.sealed else 0 :] if one.url)
    pictures = "".join(
        f'<link rel="preload" as="fetch" crossorigin="anonymous" href="{base}{url}">'
        for url in urls
    )
    script = f'<script type="application/json" id="boot">{data}</script>'
    said = HEAD.sub(lambda _: head.markup(), parts[0], count=1)
    body = branded(parts[1], head.site)
    return f"{said}{links}{pictures}{script}{body}"
