"""The settings as the console's process read them. They stand in the environment: nothing here
changes them.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec
import sqlalchemy as sa
from litestar import get
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenServices
from liuying.features.operators.rules import Role
from liuying.installation.setting_texts import CHOICES, GROUPS, SECRET
from liuying.installation.settings import SEEN_BY_VISITORS, Settings
from liuying.kit.envelope import Envelope
from liuying.kit.responses import UNAUTHORIZED

PLAIN_VARIABLES = {"host": "HOST", "port": "PORT"}


class Restart(StrEnum):
    """What must be restarted before another value is used: everything, or the console alone."""

    ALL = "all"
    CONSOLE = "console"


class SettingItem(msgspec.Struct, frozen=True, kw_only=True):
    """A setting.

    Attributes:
        variable: Where it is set.
        about: What it does, in Chinese.
        value: Its value as text, a choice by name; of a secret only whether it is set.
        is_default: Whether nobody set another.
        is_secret: Whether its value is hidden.
        is_shared: Whether all processes of the site must have the same.
    """

    variable: str
    about: str
    value: str
    is_default: bool
    is_secret: bool
    is_shared: bool
    restart: Restart


class SettingGroup(msgspec.Struct, frozen=True):
    """Settings that belong together."""

    name: str
    settings: list[SettingItem]


@get(
    "/api/settings",
    sync_to_thread=False,
    summary="The settings",
    opt=needs(Role.OWNER),
    responses=UNAUTHORIZED,
)
def list_settings(services: GivenServices) -> Envelope[list[SettingGroup]]:
    """By group. They are read once, at the start of a process."""
    return Envelope(
        [
            SettingGroup(name, [_item(services.settings, field, fields[field]) for field in fields])
            for name, fields in GROUPS.items()
        ]
    )


def _item(settings: Settings, field: str, about: str) -> SettingItem:
    value = getattr(settings, field)
    is_console = field.startswith("console_")
    return SettingItem(
        variable=PLAIN_VARIABLES.get(field, f"LIUYING_{field.upper()}"),
        about=about,
        value=_text(field, value),
        is_default=value == getattr(Settings(), field),
        is_secret=field in SECRET,
        is_shared=field in SEEN_BY_VISITORS,
        restart=Restart.CONSOLE if is_console else Restart.ALL,
    )


def _text(field: str, value: object) -> str:
    if field in SECRET:
        return "已设置" if value else ""
    if field == "database_url" and value:
        # It may hold a password.
        return sa.make_url(str(value)).render_as_string(hide_password=True)
    if isinstance(value, bool):
        return "是" if value else "否"
    text = str(value)
    # The word itself too: it is what one writes.
    return f"{CHOICES[field][text]}（{text}）" if field in CHOICES else text


ROUTES: list[ControllerRouterHandler] = [list_settings]
