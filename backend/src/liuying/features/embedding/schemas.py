"""Partners and their sessions on the wire (docs/product.md#embedding)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from liuying.kit.responses import PlainText

Link = Annotated[str, msgspec.Meta(max_length=500, pattern=r"^(https?://[^\s\x00-\x1f]+)?\Z")]
SocketLink = Annotated[str, msgspec.Meta(max_length=500, pattern=r"^(wss?://[^\s\x00-\x1f]+)?\Z")]


class Perks(msgspec.Struct, frozen=True, kw_only=True):
    """What a partner's visitors get: links, each of which may be empty."""

    ws_url: SocketLink = ""
    promo_url: Link = ""
    ad: Link = ""
    activity: Link = ""


class VendorCode(msgspec.Struct, frozen=True):
    """The single-use code signed by the partner's server."""

    code: PlainText


class PartnerBonus(msgspec.Struct, frozen=True, kw_only=True):
    """The specified session fields (specification §3). `domain` is the partner's origin."""

    is_guest: bool = msgspec.field(name="isGuest", default=False)
    domain: str
    userid: str
    cid: str
    ws_url: str = msgspec.field(name="wsUrl")
    promo_url: str = msgspec.field(name="promoUrl")
    ad: str
    activity: str
    login_video_switch: bool = msgspec.field(name="loginVideoSwitch")


class VendorSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session: the bearer token and its expiry (ISO)."""

    token: str
    expires_at: str
    bonus: PartnerBonus = msgspec.field(name="xbbBonus")
