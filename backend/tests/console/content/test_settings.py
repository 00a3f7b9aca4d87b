"""The settings on the console: all of them, no secret."""

from __future__ import annotations

from typing import Literal, get_args, get_origin

import msgspec
import pytest

from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.installation.setting_texts import CHOICES, GROUPS, SECRET
from liuying.installation.settings import Settings
from tests.console.desk import Desk

HIDDEN = {
    "s3_access_key": "access-7731",
    "s3_secret_key": "secret-7732",
    "secrets": '{"key": "content-7733"}',
    "webhook_secret": "signing-7734-signing",
    "webhook_url": "https://hook.example/token-7735",
    "database_url": "postgresql+psycopg://site:word-7736@db.example/site",
}


def test_every_setting_is_told_once() -> None:
    told = [field for group in GROUPS.values() for field in group]
    assert sorted(told) == sorted(field.name for field in msgspec.structs.fields(Settings))
    assert set(told) >= SECRET


def test_every_choice_has_a_name() -> None:
    words = {
        field.name: set(get_args(field.type))
        for field in msgspec.structs.fields(Settings)
        if get_origin(field.type) is Literal
    }
    assert {field: set(names) for field, names in CHOICES.items()} == words


def test_no_secret_is_shown(services: Services) -> None:
    settings = msgspec.structs.replace(services.settings, page_size=36, **HIDDEN)
    desk = Desk(msgspec.structs.replace(services, settings=settings))
    desk.log_in()
    answer = desk.request("GET", "/api/settings")
    for number in range(7731, 7737):
        assert str(number) not in answer.text
    shown = {
        one["variable"]: one for group in answer.json()["rescont"] for one in group["settings"]
    }
    assert shown["LIUYING_SECRETS"]["value"] == "已设置"
    assert shown["LIUYING_DATABASE_URL"]["value"].startswith("postgresql+psycopg://site:***@")
    assert (shown["LIUYING_PAGE_SIZE"]["value"], shown["LIUYING_PAGE_SIZE"]["is_default"]) == (
        "36",
        False,
    )
    assert shown["LIUYING_SHOW_ADS"]["value"] == "是"
    assert shown["LIUYING_ANALYTICS"]["value"] == "不统计（none）"
    assert shown["LIUYING_CONSOLE_ORIGIN"]["restart"] == "console"
    desk.close()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
def test_settings_are_the_owners(desk: Desk, role: Role) -> None:
    desk.log_in(role)
    assert desk.request("GET", "/api/settings").status_code == 403
