"""Where the client reports page views (specification §2): nowhere, unless the operator names a
tool.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from liuying.kit.origins import parse_origin

AnalyticsKind = Literal["none", "beacon", "matomo", "google"]
GOOGLE_URL = "https://www.google-analytics.com/g/collect"
MAX_LENGTH = 500
# Visible ASCII, without the characters that end a header value or a policy source.
ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f-\uffff;,\"'<>\\?#@]+")
IDS: dict[AnalyticsKind, tuple[re.Pattern[str], str]] = {
    "matomo": (re.compile(r"[1-9][0-9]{0,8}"), "站点编号（数字）"),
    "google": (re.compile(r"G-[A-Z0-9]{4,20}"), "衡量 ID（G-…）"),
}


class Analytics(msgspec.Struct, frozen=True):
    """The tool that counts page views.

    Attributes:
        kind: `beacon` is the operator's own counter, `matomo` its HTTP tracking API, `google` a GA4
            property.
        url: Where reports are sent; empty for `none`.
        id: The site or the property there; empty where the tool has none.
    """

    kind: AnalyticsKind = "none"
    url: str = ""
    id: str = ""

    @property
    def origin(self) -> str:
        """What the client's policy must let it reach; empty for `none`."""
        return _origin_of(self.url) if self.url else ""


def parse_analytics(kind: AnalyticsKind, url: str, tool_id: str) -> Analytics:
    """Parse the three settings that name the tool.

    Raises:
        ValueError: They do not fit together. The message is for the operator.
    """
    url, tool_id = url.strip(), tool_id.strip()
    if kind == "none":
        if url or tool_id:
            raise ValueError(
                "LIUYING_ANALYTICS 为 none 时，不应填写 LIUYING_ANALYTICS_URL 与 "
                "LIUYING_ANALYTICS_ID"
            )
        return Analytics()
    if kind == "google":
        url = url or GOOGLE_URL
    if len(url) > MAX_LENGTH or ADDRESS.fullmatch(url) is None:
        raise ValueError("LIUYING_ANALYTICS_URL 应为 https:// 开头、不带参数的地址")
    _origin_of(url)
    pattern, description = IDS.get(kind, (re.compile(""), "空"))
    if pattern.fullmatch(tool_id) is None:
        raise ValueError(f"LIUYING_ANALYTICS_ID 应为{description}")
    return Analytics(kind, url, tool_id)


def _origin_of(url: str) -> str:
    # `ADDRESS` matched. `urlsplit` would refuse some hosts in English.
    return parse_origin("/".join(url.split("/")[:3]))
