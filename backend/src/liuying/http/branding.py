"""The site's own name, logo and icon in the prerendered markup.

The application draws the same elements (`web/src/shared/ui/emblem.tsx`, `wordmark.tsx`), so that
React finds what it expects.
"""

from __future__ import annotations

import re
from html import escape

from liuying.features.site.rules import LOGO, SMALL_ICON, SiteIdentity

# In place of the name, which the build does not know.
NAME_MARK = "{{site.name}}"
EMBLEM = re.compile(r'<svg class="([^"]*)" viewBox="9 4 36 40".*?</svg>', re.S)
WORDMARK = re.compile(r'<svg class="([^"]*)" viewBox="0 0 51\.5 24\.5".*?</svg>', re.S)
DRAWN_NAME = SiteIdentity().name


def branded(markup: str, site: SiteIdentity) -> str:
    """Prerendered markup with the site's own name and pictures."""
    name = escape(site.name)
    markup = markup.replace(NAME_MARK, name)
    if icon := site.picture(SMALL_ICON):
        markup = EMBLEM.sub(rf'<img class="\1" src="{escape(icon)}" alt="">', markup)
    if logo := site.picture(LOGO):
        return WORDMARK.sub(rf'<img class="\1" src="{escape(logo)}" alt="">', markup)
    if site.name != DRAWN_NAME:
        return WORDMARK.sub(lambda found: f'<b class="{found[1]} site-name">{name}</b>', markup)
    return markup
