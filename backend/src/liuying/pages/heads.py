"""Title, description, canonical address and card of each page, for search engines and messengers.

The head of a locked or gated video's page reveals nothing about the video.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote_plus

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.list_address import read_screen
from liuying.core.catalogue.named_categories import category_name
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.rules import play_time
from liuying.core.catalogue.schemas import VideoItem
from liuying.core.catalogue.service import get_video
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.removals.service import read_page
from liuying.features.site.rules import SiteIdentity
from liuying.features.topics.queries import shown_topics
from liuying.kit.errors import NotFoundError
from liuying.kit.paging import PageRequest
from liuying.kit.texts import clean_text

# Addresses as the application writes them. Any other spelling gets the head of its path alone, so
# that nobody can fill the memory with copies of one document (docs/security.md#t3).
PLAYER = re.compile(rb"/playVideo\?id=([1-9]\d{0,9})(?:&ad_show=no)?")
TOPIC = re.compile(rb"/topic\?id=([1-9]\d{0,8})")
ARTIST = re.compile(rb"/artist-details\?id=([1-9]\d{0,8})")
COLLECTED = re.compile(rb"/collectVideo\?type=(history|favorite)")
# Never cached, so every term may stand in its own document.
SEARCH_PATH = "/searchList"
MAX_TERM_LENGTH = 64
UNLOCK_TITLE = "邀请你解锁一个视频"
UNLOCK_TEXT = "打开链接，就帮朋友点亮一次；两位朋友打开后，视频就会解锁。"
SITE_CARD, UNLOCK_CARD = "site", "unlock"
# Screens that are the same for everybody, with a name and a sentence. The names are those that the
# screens set themselves once they are drawn (`useTitle` on the web).
SCREENS = {
    "/rank": ("排行榜", "看得最多、收藏最多和最新的视频。"),
    "/find/rank": ("发现排行", "看得最多、收藏最多和最新的视频。"),
    "/find/artist": ("发现女优", "按作者找视频。"),
    "/find/tags": ("发现分类", "按分类和标签找视频。"),
    "/find": ("发现", "作者、排行和分类。"),
    "/miin": ("短视频", "一条接一条，上下滑动。"),
    "/favorites": ("看看", "看看大家都收藏了什么。"),
    "/mine": ("我的", "数据码、观看历史、收藏和公告。"),
    "/search": ("搜索", "按标题、标签和作者找视频。"),
    "/vendor": ("从合作网站进入", "从合作网站进入，继续观看。"),
}
# Screens whose address says which one of many they show: the name where it does not.
UNNAMED_SCREENS = {
    "/list": "视频列表",
    "/playVideo": "播放视频",
    "/playLink": "播放视频",
    "/topic": "专题",
    "/artist-details": "作者",
}
# Only where the operator shows it; otherwise an address like any unknown one.
REMOVALS_PATH = "/removals"
COLLECTIONS = {"history": "观看历史", "favorite": "我喜欢的"}
GONE_TITLE = "视频不存在或已下架"
UNKNOWN_TITLE = "找不到页面"
# As the application calls the list of a category without a name.
UNNAMED_LIST = "视频"
# Personal screens, and those that are useless in a search engine's results.
PRIVATE_SCREENS = frozenset(
    {"/mine", "/search", "/searchList", "/collectVideo", "/vendor", "/playLink", "/playVideoShare"}
)


class PageHead(msgspec.Struct, frozen=True, kw_only=True):
    """The head of a page's document.

    Attributes:
        title: What the page shows; empty where the site's name says it all.
        description: A sentence; empty for the site's own.
        address: Canonical path and query; empty where the page has none, such as a visitor's own
            link.
        card: Name of its card.
        is_video: Whether it plays one.
        is_indexed: Whether search engines may list it.
        is_found: Whether what the address names exists.
    """

    title: str = ""
    description: str = ""
    address: str = ""
    card: str = SITE_CARD
    is_video: bool = False
    is_indexed: bool = True
    is_found: bool = True


UNLOCK_HEAD = PageHead(
    title=UNLOCK_TITLE, description=UNLOCK_TEXT, card=UNLOCK_CARD, is_indexed=False
)
GATED_HEAD = PageHead(title="确认年龄后观看", is_indexed=False)
HOME_HEAD = PageHead(address="/home")


def has_own_head(target: bytes) -> bool:
    """Whether the document of a request's target (raw path, `?`, query) has a head of its own."""
    return bool(TOPIC.fullmatch(target) or ARTIST.fullmatch(target) or COLLECTED.fullmatch(target))


def head_of(
    connection: sa.Connection, orders: SortIndex, site: SiteIdentity, target: bytes
) -> PageHead:
    """The head for a request's target; the site's own where the target names nothing."""
    path = target.partition(b"?")[0].decode("latin-1")
    if path == "/playVideoShare":
        return UNLOCK_HEAD
    if found := PLAYER.fullmatch(target):
        return _video_head(connection, site, int(found[1]))
    if found := TOPIC.fullmatch(target):
        return _topic_head(connection, int(found[1]))
    if found := ARTIST.fullmatch(target):
        return _artist_head(connection, int(found[1]))
    if asked := read_screen(target):
        return _list_head(connection, orders, site, asked.category_id)
    return _screen_head(connection, target, path)


def _list_head(
    connection: sa.Connection, orders: SortIndex, site: SiteIdentity, number: int
) -> PageHead:
    name = category_name(connection, number)
    if not name:  # The list is there, and empty.
        return PageHead(title=UNNAMED_LIST, is_indexed=False)
    total = orders.in_category(connection, number, "new", PageRequest(1, 1)).total
    return PageHead(
        title=name,
        description=f"{name}：共 {total:,} 个视频。{site.description}",
        address=f"/list?typeId={number}&orderby=new",
        card=f"category-{number}",
    )


def _screen_head(connection: sa.Connection, target: bytes, path: str) -> PageHead:
    if path == SEARCH_PATH and (term := _term_of(target)):
        return PageHead(
            title=term,
            description=f"「{term}」的搜索结果。",
            address=f"{SEARCH_PATH}?search={quote_plus(term)}",
            is_indexed=False,
        )
    if path == "/collectVideo":
        found = COLLECTED.fullmatch(target)
        kind = found[1].decode() if found else "history"
        return PageHead(title=COLLECTIONS[kind], address=f"{path}?type={kind}", is_indexed=False)
    if path == SEARCH_PATH:
        path = "/search"  # Without a term, the screen leads there.
    if path == REMOVALS_PATH and read_page(connection).is_shown:
        return PageHead(
            title="下架公示", description="本站永久下架的视频、日期和原因。", address=path
        )
    if path not in SCREENS:
        return PageHead(title=UNNAMED_SCREENS.get(path, UNKNOWN_TITLE), is_indexed=False)
    title, description = SCREENS[path]
    return PageHead(
        title=title,
        description=description,
        address=path,
        is_indexed=path not in PRIVATE_SCREENS,
    )


def _term_of(target: bytes) -> str:
    """The searched term; empty without one."""
    query = target.partition(b"?")[2].decode("utf-8", "replace")
    # The first one, as the screen reads it.
    fields = parse_qsl(query, keep_blank_values=True)
    term = next((value for name, value in fields if name == "search"), "")
    return clean_text(term)[:MAX_TERM_LENGTH].rstrip()


def note_of(item: VideoItem) -> str:
    """Category and running time of a video."""
    return " · ".join(
        one for one in (item.category_name, play_time(round(item.duration * 1000))) if one
    )


def _video_head(connection: sa.Connection, site: SiteIdentity, video_id: int) -> PageHead:
    try:
        item = get_video(connection, video_id)[0]
    except NotFoundError:
        return PageHead(title=GONE_TITLE, is_indexed=False, is_found=False)
    if item.is_locked:
        return UNLOCK_HEAD
    if item.is_gated:
        return GATED_HEAD
    return PageHead(
        title=item.title,
        description=f"{note_of(item)}。{site.share_text or site.description}",
        address=f"/playVideo?id={item.id}",
        card=f"video-{item.id}",
        is_video=True,
    )


def _topic_head(connection: sa.Connection, topic_id: int) -> PageHead:
    for row in shown_topics(connection):
        if row.id == topic_id:
            return PageHead(
                title=row.title,
                description=row.intro or f"共 {row.video_count:,} 个视频。",
                address=f"/topic?id={row.id}",
                card=f"topic-{row.id}",
            )
    return PageHead(title=UNNAMED_SCREENS["/topic"], is_indexed=False, is_found=False)


def _artist_head(connection: sa.Connection, artist_id: int) -> PageHead:
    row = names.artist_by_id(connection, artist_id)
    if row is None:
        title = UNNAMED_SCREENS["/artist-details"]
        return PageHead(title=title, is_indexed=False, is_found=False)
    return PageHead(
        title=row.name,
        description=row.intro or f"{row.name}的视频。",
        address=f"/artist-details?id={row.id}",
        card=f"artist-{row.id}",
    )
