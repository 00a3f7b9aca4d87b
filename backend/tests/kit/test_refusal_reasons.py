"""Why a value was refused, as its sender reads it."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import msgspec
import pytest

from liuying.kit.refusal_reasons import CHINESE, OTHER, chinese_reason


class Colour(Enum):
    RED = "red"


class Form(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=5, pattern="^[a-z]*$")]
    count: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    tags: Annotated[list[str], msgspec.Meta(min_length=2, max_length=3)] | None = None
    colour: Colour | None = None
    is_on: bool | None = None
    content: bytes = b""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"name": "abcdef"}', "最多 5 个字"),
        (b'{"name": ""}', "不能为空"),
        (b'{"name": "A"}', "写法不对"),
        (b'{"name": 1}', "应为文字"),
        (b'{"name": "a", "count": 10}', "不能大于 9"),
        (b'{"name": "a", "count": 0}', "不能小于 1"),
        (b'{"name": "a", "count": "1"}', "应为整数"),
        (b'{"name": "a", "tags": ["a"]}', "至少 2 项"),
        (b'{"name": "a", "tags": ["a", "b", "c", "d"]}', "最多 3 项"),
        (b'{"name": "a", "tags": {}}', "应为列表或 null"),
        (b'{"name": "a", "is_on": 3}', "应为 true、false 或 null"),
        (b'{"name": "a", "colour": "blue"}', "没有这个选项"),
        ('{"name": "a", "colour": "红"}'.encode(), "没有这个选项"),
        (b'{"name": "a", "content": "?"}', "不是 base64"),
        (b'{"name": "a", "other": 1}', "没有 other 这一项"),
        ('{"name": "a", "别的": 1}'.encode(), "没有 别的 这一项"),
        (b"{}", "缺少 name"),
        (b"[]", "应为对象"),
        (b"{", "不是有效的 JSON"),
        (b"{]", "不是有效的 JSON"),
    ],
)
def test_what_the_decoder_says_is_said_in_chinese(body: bytes, said: str) -> None:
    with pytest.raises(msgspec.DecodeError) as refusal:
        msgspec.json.decode(body, type=Form)
    assert chinese_reason(str(refusal.value)) == said


@pytest.mark.parametrize("message", ["'data'", "", "something new went wrong"])
def test_whatever_else_is_refused_is_said_in_chinese(message: str) -> None:
    assert chinese_reason(message) == OTHER
    assert CHINESE.search(OTHER)


def test_our_own_sentences_stay() -> None:
    assert chinese_reason("缺少参数") == "缺少参数"
