"""The head of a document: title, description and card of its page, the site's colours and icons."""

from __future__ import annotations

from html import escape

import msgspec

from liuying.features.site.rules import FAVICON, TOUCH_ICON, SiteIdentity
from liuying.media.card import HEIGHT, WIDTH
from liuying.pages.heads import PageHead


class DocumentHead(msgspec.Struct, frozen=True):
    """The head of a document.

    Attributes:
        site: The site's name, texts, colours and icons.
        page: The page's title, description and card.
        origin: The site's origin; empty if unknown. Then no canonical address is named, and that of
            the picture is relative: browsers resolve it, most messengers do not.
    """

    site: SiteIdentity
    page: PageHead
    origin: str

    def markup(self) -> str:
        """The elements as HTML."""
        site, page = self.site, self.page
        title = f"{page.title} - {site.name}" if page.title else _joined(site.name, site.slogan)
        shown = page.title or _joined(site.name, site.slogan)
        description = page.description or site.description
        picture = f"{self.origin}/cards/{page.card}.jpg"
        parts = [
            f"<title>{escape(title)}</title>",
            _meta("description", description),
            *([] if page.is_indexed else [_meta("robots", "noindex")]),
            *self._addresses(),
            _property("og:site_name", site.name),
            _property("og:locale", "zh_CN"),
            _property("og:type", "video.other" if page.is_video else "website"),
            _property("og:title", shown),
            _property("og:description", description),
            _property("og:image", picture),
            _property("og:image:type", "image/jpeg"),
            _property("og:image:width", str(WIDTH)),
            _property("og:image:height", str(HEIGHT)),
            _property("og:image:alt", shown),
            _meta("twitter:card", "summary_large_image"),
            _meta("twitter:title", shown),
            _meta("twitter:description", description),
            _meta("twitter:image", picture),
            *self._device(),
        ]
        return "".join(parts)

    def _addresses(self) -> list[str]:
        # A canonical address must be absolute: a relative one is ignored, or taken for a mistake.
        if not self.page.address or not self.origin:
            return []
        address = f"{self.origin}{self.page.address}"
        return [
            f'<link rel="canonical" href="{escape(address)}">',
            _property("og:url", address),
        ]

    def _device(self) -> list[str]:
        site = self.site
        own = site.picture(FAVICON)
        favicon = (own, "image/png") if own else ("/favicon.svg", "image/svg+xml")
        touch = site.picture(TOUCH_ICON) or "/icons/apple-touch-icon.png"
        colours = (("dark", site.theme_dark), ("light", site.theme_light))
        return [
            *(
                f'<meta name="theme-color" content="{colour}"'
                f' media="(prefers-color-scheme: {scheme})">'
                for scheme, colour in colours
            ),
            f'<link rel="icon" href="{escape(favicon[0])}" type="{favicon[1]}">',
            f'<link rel="apple-touch-icon" href="{escape(touch)}">',
            '<link rel="manifest" href="/manifest.webmanifest">',
        ]


def _joined(*parts: str) -> str:
    return " - ".join(one for one in parts if one)


def _meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{escape(content)}">'


def _property(name: str, content: str) -> str:
    return f'<meta property="{name}" content="{escape(content)}">'
