"""Read models on the wire that mix features."""

from __future__ import annotations

import msgspec

from liuying.core.catalogue.age_gate import AgeGateView
from liuying.core.catalogue.schemas import (
    ArtistView,
    CategoryView,
    ChapterView,
    VideoFields,
    VideoItem,
)
from liuying.core.playback.schemas import AudioTrackView, SourceView, SubtitleView
from liuying.features.ads.schemas import AdView, AppLinkView, BannerTagView
from liuying.features.site.schemas import SiteView
from liuying.features.tabs.schemas import TabEntry
from liuying.features.topics.schemas import TopicView
from liuying.kit.analytics import Analytics
from liuying.kit.images import EncryptedImage


class HomeBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A category's block on home: 2 to 4 videos; the first item may be an advertisement
    (specification §7).
    """

    id: int
    name: str
    type_id: int
    items: list[VideoItem | AdView] = msgspec.field(name="list")


class Recommendation(msgspec.Struct, frozen=True):
    """The pool behind 换一批: up to 12 videos (3 batches of 4) and the seed of the next pool."""

    data: list[VideoItem]
    seed: int
    next_seed: int


class CategoryRef(msgspec.Struct, frozen=True):
    """A category by id and name."""

    id: int
    name: str


class PlayInfo(VideoFields, frozen=True, kw_only=True):
    """Everything on the player page (docs/product.md#playback).

    `description` has lines. `premiered_at` is when the source says that it was first shown, null if
    it says nothing. `chapters` are in order; there are none while the video is locked.
    `audio_tracks` is empty where there is nothing to choose from.
    """

    is_lock: bool
    poster: EncryptedImage
    sources: list[SourceView]
    audio_tracks: list[AudioTrackView]
    subtitles: list[SubtitleView]
    storyboard: str | None
    artists: list[ArtistView]
    category: CategoryRef
    description: str
    premiered_at: str | None
    chapters: list[ChapterView]


class RuntimeConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What the client must know before it starts (docs/product.md#wire). `cover_keys` maps key id
    to base64.

    With `auth_required` every other call needs a bearer token. `site_url` is the full site's
    origin; empty if not set. Pages of `frame_origins` may frame the site and exchange messages with
    it (docs/embedding.md).
    """

    version: str
    api_base: str
    media_base: str
    is_show_ad: bool = msgspec.field(name="isShowAd")
    tabs: list[TabEntry]
    cover_keys: dict[str, str]
    community: AppLinkView | None
    exchange_links: list[AppLinkView]
    short_type: int
    share_type: int
    per_page: int
    auth_required: bool
    third_party: bool
    login_video_switch: bool
    site_url: str
    site: SiteView
    frame_origins: list[str]
    analytics: Analytics
    # Missing where there is no page of what was removed.
    has_removals: bool | msgspec.UnsetType = msgspec.UNSET
    # Missing where nothing is gated.
    age_gate: AgeGateView | msgspec.UnsetType = msgspec.UNSET


class GatedVideo(msgspec.Struct, frozen=True):
    """What a list does not say of a gated video: its cover, and the path of its master playlist,
    which ends after some hours; empty while the video is locked.
    """

    id: int
    cover: EncryptedImage = msgspec.field(name="coverbase64")
    video_path: str = msgspec.field(name="videopath")


class GatedVideos(msgspec.Struct, frozen=True):
    """Gated videos, and what opens their covers: key id → base64."""

    cover_keys: dict[str, str]
    data: list[GatedVideo]


class GatedPlay(msgspec.Struct, frozen=True):
    """A gated video's page, and what opens its cover: key id → base64."""

    cover_keys: dict[str, str]
    play: PlayInfo


class BootData(msgspec.Struct, frozen=True, kw_only=True):
    """Inlined into the page as JSON, so that it can draw without a request.

    Attributes:
        config: The `rescont` of `/api/config`.
        home: Home's answers; null if the page is not home, or if its calls need a token.
        answers: Another screen's first answers: `rescont` by path and query.
        pictures: The pictures of the first screen, which the document preloads.
        sealed: The first of them, encrypted, in base64; empty where it is not in the document.
    """

    config: RuntimeConfig
    home: HomeBoot | None = None
    answers: dict[str, object] = {}
    pictures: list[EncryptedImage] = []
    sealed: str = ""


class HomeBoot(msgspec.Struct, frozen=True, kw_only=True):
    """The answers to the calls behind home's first screen."""

    categories: list[CategoryView]
    banner_tags: list[BannerTagView]
    banners: list[AdView]
    recommendation: Recommendation
    blocks: list[HomeBlock]
    topics: list[TopicView]
