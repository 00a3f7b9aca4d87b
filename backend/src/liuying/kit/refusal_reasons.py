"""Why a value was refused, in Chinese: the framework and the decoder say it in English."""

from __future__ import annotations

import re
from collections.abc import Callable

PATH = re.compile(r" - at `[^`]*`\Z")
CHINESE = re.compile(r"[一-鿿]")
TYPES = {
    "str": "文字",
    "int": "整数",
    "float": "数字",
    "number": "数字",
    "bool": " true、false ",
    "array": "列表",
    "object": "对象",
    "null": " null",
}
OTHER = "不符合要求"

Sentence = Callable[[re.Match[str]], str]


def _typed(found: re.Match[str]) -> str:
    kinds = [TYPES.get(one, one) for one in found[1].split(" | ")]
    return f"应为{'或'.join(kinds)}".rstrip()


def _length(found: re.Match[str]) -> str:
    unit = "个字" if found[1] == "str" else "项"
    count = int(found[3])
    if found[2] == "<=":
        return f"最多 {count} {unit}"
    return "不能为空" if count == 1 else f"至少 {count} {unit}"


def _range(found: re.Match[str]) -> str:
    return f"{'不能大于' if found[2] == '<=' else '不能小于'} {found[3]}"


# As msgspec 0.20 words them (`msgspec/_core.c`); a test decodes one value of each kind.
SENTENCES: list[tuple[re.Pattern[str], Sentence]] = [
    (re.compile(r"Expected `(str|array|object|bytes)` of length (<=|>=) (\d+)"), _length),
    (re.compile(r"Expected `(int|float)` (<=|>=) (-?[\d.e+]+)"), _range),
    (re.compile(r"Expected `str` matching regex"), lambda _: "写法不对"),
    (re.compile(r"Expected `([a-z |]+)`(?:, got .*)?\Z"), _typed),
    (re.compile(r"Object missing required field `([^`]+)`"), lambda found: f"缺少 {found[1]}"),
    (
        re.compile(r"Object contains unknown field `([^`]+)`"),
        lambda found: f"没有 {found[1]} 这一项",
    ),
    (re.compile(r"Invalid enum value"), lambda _: "没有这个选项"),
    (re.compile(r"Invalid base64"), lambda _: "不是 base64"),
    (re.compile(r"(?:JSON is malformed|Input data was truncated)"), lambda _: "不是有效的 JSON"),
]


def chinese_reason(message: str) -> str:
    """A sentence for whoever sent the value. One that is Chinese already stays as it is."""
    plain = PATH.sub("", message)
    for pattern, sentence in SENTENCES:
        if found := pattern.match(plain):
            return sentence(found)
    # Last: the decoder quotes what was sent, which may be Chinese in an English sentence.
    return message if CHINESE.search(message) else OTHER
