"""Pure rules of advertisements and links."""

from __future__ import annotations

from typing import Literal

import msgspec

from liuying.kit.limits import HOUR, MINUTE, Limit, Rule

# The slots of specification §7, and LIST: rows between videos, on home and in the list layout.
Slot = Literal["USER", "BANNER", "PLAYINFO", "PLAYBEFORE", "SHORT_VIDEO", "EXPLODE", "LIST"]
LinkKind = Literal["checkin", "activity", "community", "exchange"]


# A network is a household or a carrier's street: of more, somebody counts for himself.
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
    "BANNER": SlotRule("首页的轮播图，按上方的标签（--tag）", 1280, 557),
    "LIST": SlotRule("首页各分类里的第一格，列表布局里每 5 个视频一条", 1280, 557),
    "PLAYBEFORE": SlotRule("播放之前，倒计时 LIUYING_PREROLL_SECONDS 秒", 1280, 557),
    "PLAYINFO": SlotRule("播放页，播放器下面", 1280, 557),
    "SHORT_VIDEO": SlotRule("短视频，每 4 个视频一条，占满屏幕", 1080, 1920),
    "USER": SlotRule("“我的”页面", 1280, 557),
    "EXPLODE": SlotRule("打开网站时的弹窗，每个链接 24 小时一次", 1280, 557),
}
