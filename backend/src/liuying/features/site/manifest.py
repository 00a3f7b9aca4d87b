"""The web application manifest (W3C): how the installed site is called and looks."""

from __future__ import annotations

from liuying.features.site.rules import ICON, MASKABLE, SMALL_ICON, SiteIdentity

# The drawings of the built web application, where the operator has set no icon.
DEFAULT_ICONS = {
    SMALL_ICON: "/icons/icon-192.png",
    ICON: "/icons/icon-512.png",
    MASKABLE: "/icons/icon-512.png",
}
SIDES = {SMALL_ICON: 192, ICON: 512, MASKABLE: 512}


def manifest_of(site: SiteIdentity) -> dict[str, object]:
    """The manifest as JSON has it."""
    return {
        "id": "/home",
        "name": site.name,
        "short_name": site.short_name or site.name,
        "description": site.description,
        "lang": "zh-CN",
        "dir": "ltr",
        "start_url": "/home",
        "scope": "/",
        "display": "standalone",
        "background_color": site.theme_dark,
        "theme_color": site.theme_dark,
        "icons": [
            {
                "src": site.picture(name) or address,
                "sizes": f"{SIDES[name]}x{SIDES[name]}",
                "type": "image/png",
                "purpose": "maskable" if name == MASKABLE else "any",
            }
            for name, address in DEFAULT_ICONS.items()
        ],
    }
