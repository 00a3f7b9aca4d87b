"""What the client knows before its first request: the runtime configuration and home's first
answers.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from liuying import __version__
from liuying.core.catalogue import service as catalogue
from liuying.core.catalogue.age_gate import gate_view
from liuying.core.catalogue.rules import SHARE_CATEGORY, SHORT_CATEGORY
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.ads import service as ads
from liuying.features.ads.service import AdPolicy
from liuying.features.embedding.queries import active_origins
from liuying.features.removals.service import read_page
from liuying.features.site.rules import LOGO, SMALL_ICON
from liuying.features.site.schemas import SiteView
from liuying.features.site.service import read_identity
from liuying.features.tabs.service import list_tabs
from liuying.features.topics.service import list_topics
from liuying.kit.analytics import Analytics
from liuying.kit.clock import Milliseconds
from liuying.kit.origins import unique
from liuying.pages import home
from liuying.pages.schemas import HomeBoot, RuntimeConfig


class ClientSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The operator's settings that the client needs. `cover_keys` maps key id to base64."""

    media_base: str
    cover_keys: dict[str, str]
    page_size: int
    ad_policy: AdPolicy
    is_auth_required: bool = False
    is_third_party: bool = False
    login_video_switch: bool = False
    site_url: str = ""
    frame_origins: tuple[str, ...] = ()
    analytics: Analytics = Analytics()


def runtime_config(connection: sa.Connection, settings: ClientSettings) -> RuntimeConfig:
    """The configuration of `GET /api/config` (docs/product.md#wire)."""
    site = read_identity(connection)
    return RuntimeConfig(
        version=__version__,
        api_base="",
        media_base=settings.media_base,
        is_show_ad=settings.ad_policy.is_shown,
        tabs=list_tabs(connection),
        cover_keys=settings.cover_keys,
        community=next(iter(ads.list_links(connection, "community")), None),
        exchange_links=ads.list_links(connection, "exchange"),
        short_type=SHORT_CATEGORY,
        share_type=SHARE_CATEGORY,
        per_page=settings.page_size,
        auth_required=settings.is_auth_required,
        third_party=settings.is_third_party,
        login_video_switch=settings.login_video_switch,
        site_url=site.url or settings.site_url,
        site=SiteView(
            name=site.name,
            slogan=site.slogan,
            footer=site.footer_text,
            contact=site.contact,
            logo=site.picture(LOGO),
            icon=site.picture(SMALL_ICON),
        ),
        frame_origins=list(unique((*settings.frame_origins, *active_origins(connection)))),
        analytics=settings.analytics,
        has_removals=read_page(connection).is_shown or msgspec.UNSET,
        age_gate=gate_view(connection),
    )


def home_boot(
    connection: sa.Connection, orders: SortIndex, settings: ClientSettings, now: Milliseconds
) -> HomeBoot:
    """Home's first screen: the answers to the calls that it would make. The first banner tag
    counts as selected.
    """
    tags = ads.list_banner_tags(connection, settings.ad_policy)
    chosen = tags[0].id if tags else ads.ALL_BANNERS
    return HomeBoot(
        categories=catalogue.list_categories(connection),
        banner_tags=tags,
        banners=ads.list_banners(connection, chosen, now, settings.ad_policy),
        recommendation=home.recommend(connection, orders, 0, 0, now),
        blocks=home.list_blocks(connection, orders, now, settings.ad_policy),
        topics=list_topics(connection, orders),
    )
