"""Reading the site's own document as visitors get it, and finding scripts in it that we did not
build.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable, Collection
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import msgspec

from liuying.http.web_files import inline_source
from liuying.kit.http_connection import connection_to

TIMEOUT_S = 5.0
MOST_BYTES = 2_000_000
PATH = "/home"
# A block of data; browsers run none of it.
DATA_TYPES = {"application/json", "application/ld+json"}


class ForeignScript(msgspec.Struct, frozen=True):
    """A script in our document that is none of ours: its address, or the beginning of its text."""

    what: str


class _Scripts(HTMLParser):
    """The scripts of a document: their addresses, and the texts of inline ones."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.addresses: list[str] = []
        self.texts: list[str] = []
        self._inside: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "script":
            return
        given = dict(attrs)
        if address := given.get("src"):
            self.addresses.append(address)
        elif (given.get("type") or "").lower() not in DATA_TYPES:
            self._inside = []

    def handle_data(self, data: str) -> None:
        if self._inside is not None:
            self._inside.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._inside is not None:
            self.texts.append("".join(self._inside))
            self._inside = None


def foreign_scripts(
    document: str, address: str, inline: Collection[str], is_ours: Callable[[str], bool]
) -> list[ForeignScript]:
    """Scripts that we did not build.

    Args:
        document: HTML.
        address: Where it was read.
        inline: Hashes of our inline scripts, as the content security policy has them.
        is_ours: Whether a path on this site leads to a script that we built.
    """
    found = _Scripts()
    found.feed(document)
    found.close()
    own = urlsplit(address)
    foreign = []
    for one in found.addresses:
        whole = urlsplit(urljoin(address, one))
        is_here = (whole.scheme, whole.netloc) == (own.scheme, own.netloc)
        if not (is_here and is_ours(whole.path)):
            foreign.append(ForeignScript(one[:200]))
    unknown = [text.strip() for text in found.texts if inline_source(text) not in inline]
    return foreign + [ForeignScript(text[:80]) for text in unknown]


def read_document(origin: str) -> str:
    """The site's document, as anybody gets it; redirects are not followed.

    Args:
        origin: `https://site.example`, from the operator's settings.

    Raises:
        OSError: It could not be reached, or answered something else.
    """
    connection = connection_to(urlsplit(origin), TIMEOUT_S)
    try:
        connection.request("GET", PATH, headers={"accept": "text/html", "user-agent": "liuying"})
        answer = connection.getresponse()
        if answer.status != 200:
            raise OSError(f"{PATH} answered {answer.status}")
        return answer.read(MOST_BYTES).decode("utf-8", "replace")
    except http.client.HTTPException as error:
        raise OSError(type(error).__name__) from error
    finally:
        connection.close()
