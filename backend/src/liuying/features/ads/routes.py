"""Calls of advertisements and links (specification §7)."""

from __future__ import annotations

from typing import Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from liuying.features.ads import rules, service
from liuying.features.ads.counting import CLICKS, VIEWS, AdCounter
from liuying.features.ads.schemas import AdEvents, AdEventsTaken, AdView, AppLinkView, BannerTagView
from liuying.features.ads.service import AdPolicy
from liuying.kit.changes import CacheTopic
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.envelope import Envelope
from liuying.kit.limits import Limits
from liuying.kit.responses import BODY, INVALID, LIMITED, MISSING, PathIdentifier, cached

# A time window opens and closes without a write, hence the lifetime.
KEPT = cached(CacheTopic.ADS, lifetime=30)


@get(
    "/api/adinfo/{slot:str}",
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID | MISSING,
    operation_id="listAds",
    tags=["ads"],
)
def get_ads(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    ad_policy: NamedDependency[AdPolicy],
    slot: FromPath[Literal["USER", "PLAYINFO", "PLAYBEFORE", "SHORT_VIDEO", "LIST"]],
) -> Envelope[list[AdView]]:
    """The advertisements of a slot."""
    with database.read() as connection:
        return Envelope(service.list_ads(connection, slot, clock(), ad_policy))


@get(
    "/api/adinfo/EXPLODE/0",
    sync_to_thread=True,
    opt=KEPT,
    operation_id="listPopupAds",
    tags=["ads"],
)
def get_popup_ads(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    ad_policy: NamedDependency[AdPolicy],
) -> Envelope[list[AdView]]:
    """The advertisements that open by themselves."""
    with database.read() as connection:
        return Envelope(service.list_ads(connection, "EXPLODE", clock(), ad_policy))


@get(
    "/api/adinfo/BANNER/{banner_type:int}",
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID | MISSING,
    operation_id="listBanners",
    tags=["ads"],
)
def get_banners(
    database: NamedDependency[Database],
    clock: NamedDependency[Clock],
    ad_policy: NamedDependency[AdPolicy],
    banner_type: PathIdentifier,
) -> Envelope[list[AdView]]:
    """The banners of a tag; 0 means all."""
    with database.read() as connection:
        return Envelope(service.list_banners(connection, banner_type, clock(), ad_policy))


@get("/api/adsort", sync_to_thread=True, opt=KEPT, operation_id="listBannerTags", tags=["ads"])
def get_banner_tags(
    database: NamedDependency[Database], ad_policy: NamedDependency[AdPolicy]
) -> Envelope[list[BannerTagView]]:
    """The chips above the carousel."""
    with database.read() as connection:
        return Envelope(service.list_banner_tags(connection, ad_policy))


@get(
    "/api/applink/{kind:str}",
    sync_to_thread=True,
    opt=KEPT,
    responses=INVALID | MISSING,
    operation_id="listAppLinks",
    tags=["ads"],
)
def get_app_links(
    database: NamedDependency[Database], kind: FromPath[Literal["checkin", "activity"]]
) -> Envelope[list[AppLinkView]]:
    """The operator's links of a kind."""
    with database.read() as connection:
        return Envelope(service.list_links(connection, kind))


@post(
    "/api/ad/event",
    status_code=200,
    responses=INVALID | LIMITED | BODY,
    sync_to_thread=False,
    operation_id="reportAds",
    tags=["ads"],
)
def post_ad_events(
    ad_counter: NamedDependency[AdCounter],
    network: NamedDependency[ClientNetwork],
    limits: NamedDependency[Limits],
    data: JSONBody[AdEvents],
) -> Envelope[AdEventsTaken]:
    """Count advertisements that were seen and followed. Who did so is not noted."""
    limits.check(rules.EVENTS, network)
    counted = 0
    for kind, limit, ids in (
        (VIEWS, rules.VIEWS, data.views),
        (CLICKS, rules.CLICKS, data.clicks),
    ):
        for ad_id in set(ids):
            if limits.allows(limit, network, ad_id):
                ad_counter.add(kind, ad_id)
                counted += 1
    return Envelope(AdEventsTaken(counted))


ROUTES = [post_ad_events, get_ads, get_popup_ads, get_banners, get_banner_tags, get_app_links]
