"""Rules of the site's identity, and its defaults: the one place where 流影 calls itself so to
visitors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from liuying.kit.errors import InvalidInputError
from liuying.kit.origins import parse_origin
from liuying.kit.texts import optional_text, required_text

COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
# Names of the pictures: the last part of their addresses below `/site/`.
LOGO = "logo.png"
ICON, SMALL_ICON = "icon-512.png", "icon-192.png"
MASKABLE, TOUCH_ICON, FAVICON = "maskable-512.png", "apple-touch-icon.png", "favicon.png"
ICONS = (ICON, SMALL_ICON, MASKABLE, TOUCH_ICON, FAVICON)
PICTURES = (LOGO, *ICONS)


class SiteIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """What the site calls itself.

    Attributes:
        name: In titles, cards, posters and the manifest.
        short_name: Below the icon of the installed site; the name where it is empty.
        slogan: Beside the name.
        description: What search engines and messengers say of the site.
        footer: At the end of home; name and slogan where it is empty.
        contact: How to reach the operator: a sentence or an address; empty for nobody.
        share_text: What a shared link of an open video says below its title; the description
            where it is empty.
        theme_dark: Colour of the browser's bars in the dark theme, `#rrggbb`.
        theme_light: Likewise in the light theme.
        url: The site's origin, for the addresses of cards and sitemaps; the setting
            `LIUYING_SITE_URL` where it is empty.
        pictures: Digests of the pictures that are set, by name.
    """

    name: str = "流影"
    short_name: str = ""
    slogan: str = "看见流动的光"
    description: str = "旅行、美食、音乐、科技、自然与城市的短片，打开就看，无需登录。"
    footer: str = ""
    contact: str = ""
    share_text: str = ""
    theme_dark: str = "#0f1014"
    theme_light: str = "#f5f6f8"
    url: str = ""
    pictures: Mapping[str, str] = {}

    def picture(self, name: str) -> str:
        """The address of a picture that is set; empty where it is not."""
        digest = self.pictures.get(name)
        return f"/site/{name}?v={digest}" if digest else ""

    @property
    def footer_text(self) -> str:
        return self.footer or " · ".join(one for one in (self.name, self.slogan) if one)


def colour(name: str, text: str) -> str:
    """A colour as `#rrggbb`.

    Raises:
        InvalidInputError: It is none.
    """
    text = text.strip()
    if not COLOUR.fullmatch(text):
        raise InvalidInputError(f"{name}应写成 #rrggbb，例如 #0f1014")
    return text.lower()


def origin(name: str, text: str) -> str:
    """An origin without a slash at its end; empty for none.

    Raises:
        InvalidInputError: It is none.
    """
    try:
        return parse_origin(text.strip().removesuffix("/")) if text.strip() else ""
    except ValueError as error:
        raise InvalidInputError(f"{name}应为 https://主机 这样的地址，不带路径") from error


# Field → how it is called, and its check.
CHECKS: Mapping[str, tuple[str, Callable[[str, str], str]]] = {
    "name": ("站名", lambda name, text: required_text(name, text, 20)),
    "short_name": ("短名", lambda name, text: optional_text(name, text, 12)),
    "slogan": ("标语", lambda name, text: optional_text(name, text, 40)),
    "description": ("简介", lambda name, text: required_text(name, text, 160)),
    "footer": ("页脚", lambda name, text: optional_text(name, text, 200)),
    "contact": ("联系方式", lambda name, text: optional_text(name, text, 200)),
    "share_text": ("分享文案", lambda name, text: optional_text(name, text, 120)),
    "theme_dark": ("深色主题色", colour),
    "theme_light": ("浅色主题色", colour),
    "url": ("站点地址", origin),
}
