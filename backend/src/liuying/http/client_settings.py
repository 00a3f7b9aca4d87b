"""The part of the settings that the client must know."""

from __future__ import annotations

from liuying.features.ads.service import AdPolicy
from liuying.installation.services import Services
from liuying.pages.boot import ClientSettings


def client_settings(services: Services) -> ClientSettings:
    """What an installation tells every visitor about itself."""
    settings = services.settings
    return ClientSettings(
        media_base=settings.media_base,
        cover_keys=services.secrets.cover_keys,
        page_size=settings.page_size,
        ad_policy=AdPolicy(is_shown=settings.show_ads, preroll_seconds=settings.preroll_seconds),
        is_auth_required=settings.auth_required,
        is_third_party=settings.third_party,
        login_video_switch=settings.login_video_switch,
        site_url=settings.site_origin,
        frame_origins=settings.framing_origins,
        analytics=settings.page_view_tool,
    )
