"""Pure rules of advertisements and links."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import groupby
from typing import Literal

import msgspec

from liuying.kit.clock import Milliseconds, day_number
from liuying.kit.database import AnyRow
from liuying.kit.limits import HOUR, MINUTE, Limit, Rule

# Characters of a title, and of the line below it, of an advertisement or a link.
TITLE_LENGTH, TEXT_LENGTH = 80, 120

# The slots of specification §7, and LIST: rows between videos, on home and in the list layout.
Slot = Literal["USER", "BANNER", "PLAYINFO", "PLAYBEFORE", "SHORT_VIDEO", "EXPLODE", "LIST"]
LinkKind = Literal["checkin", "activity", "community", "exchange"]


# A network may be a household or many mobile users; beyond these numbers one person is inflating
# the counts.
EVENTS = Limit("ad events", (Rule(120, MINUTE),))
VIEWS = Limit("ad view", (Rule(60, HOUR),))
CLICKS = Limit("ad click", (Rule(10, HOUR),))


class SlotRule(msgspec.Struct, frozen=True):
    """Where a slot's advertisements are shown, and which picture fits.

    Attributes:
        place: Where, in Chinese.
        width: Pixels of a picture that is sharp everywhere.
        height: Pixels likewise: the picture's ratio is the place's.
    """

    place: str
    width: int
    height: int


# Advertisements are 2.3:1 (specification §9), but for the short feed, where one fills the screen.
SLOTS: dict[Slot, SlotRule] = {
    "BANNER": SlotRule("首页的轮播图，按上方的标签", 1280, 557),
    "LIST": SlotRule("首页各分类里的第一格，列表布局里每 5 个视频一条", 1280, 557),
    "PLAYBEFORE": SlotRule("播放之前，倒计时几秒", 1280, 557),
    "PLAYINFO": SlotRule("播放页，播放器下面", 1280, 557),
    "SHORT_VIDEO": SlotRule("短视频，每 4 个视频一条，占满屏幕", 1080, 1920),
    "USER": SlotRule("“我的”页面", 1280, 557),
    "EXPLODE": SlotRule("打开网站时的弹窗，每个链接 24 小时一次", 1280, 557),
}


def in_turn(rows: Sequence[AnyRow], now: Milliseconds) -> list[AnyRow]:
    """Advertisements of a slot in the order of a day: by position; of one position by weight.

    Over many days one of weight 3 comes first three times as often as one of weight 1. The order is
    the same for everybody and all day (UTC), so that its answer is cached; where all weigh the
    same, the order is unchanged.

    Args:
        rows: In order of position and id.
        now: A moment of the day.
    """
    ordered: list[AnyRow] = []
    for _, group in groupby(rows, key=lambda row: row.position):
        members = list(group)
        if len({row.weight for row in members}) > 1:
            day = day_number(now)
            members.sort(key=lambda row: _turn(row.id, row.weight, day), reverse=True)
        ordered += members
    return ordered


def _turn(ad_id: int, weight: int, day: int) -> float:
    """Weighted sampling without replacement (Efraimidis and Spirakis): u^(1/weight), largest
    first.
    """
    drawn = hashlib.sha256(f"{day}:{ad_id}".encode()).digest()[:8]
    return float(((int.from_bytes(drawn) + 1) / 2**64) ** (1 / weight))
