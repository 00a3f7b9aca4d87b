"""Chinese words for made-up texts: real ones, from the phrases that pypinyin knows, in an order
that a seed gives.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

SURNAMES = (
    "李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏"
    "钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
GIVEN = (
    "安宁晓明文静雨晴子涵欣怡嘉诚思远若曦志强海燕春生秋月冬梅夏荷"
    "天佑雪松云帆星河青山流影望舒清和知行乐言"
)
LATIN = ("4K", "HDR", "Vlog", "BGM", "Live", "mini", "EP", "ASMR")
PATTERNS = (
    "{a} {b}",
    "{a}：{b}",
    "第{n}集 {a}",
    "{a}，{b}",
    "{a} {latin} {c}",
    "【{a}】{b}",
    "{b}·{a}（{n}）",
    "{c}｜{a}，{b}",
    "{a}的{b}",
    "{a}{b}",
)
WORDS = 15_000
# How fast words get rarer: Zipf's law.
FALL = 1.0
# Titles that lists leave out.
WITHHELD_SHARE = 0.001


class Words(msgspec.Struct, frozen=True):
    """Words from the most to the least used; `shares` are sums of how often each is."""

    words: list[str]
    shares: NDArray[Any]

    def draw(self, dice: np.random.Generator, count: int) -> list[str]:
        """Words as often as they are used."""
        return [self.words[place] for place in zipf(dice, self.shares, count)]


@cache
def load_words(seed: int) -> Words:
    """The word list; the same order for the same seed."""
    # Its dictionary takes a second and 40 MB.
    from pypinyin.phrases_dict import phrases_dict  # noqa: PLC0415

    words = sorted(phrase for phrase in phrases_dict if 2 <= len(phrase) <= 4)
    np.random.default_rng(seed).shuffle(words)
    return Words(words[:WORDS], zipf_shares(WORDS))


def zipf_shares(count: int) -> NDArray[Any]:
    """Sums of the shares of `count` things of which the n-th is 1/n as frequent as the first."""
    weights: NDArray[Any] = 1 / np.arange(1, count + 1) ** FALL
    shares: NDArray[Any] = np.cumsum(weights) / weights.sum()
    return shares


def zipf(dice: np.random.Generator, shares: NDArray[Any], count: int) -> list[int]:
    """Places drawn by `zipf_shares`."""
    found: list[int] = np.searchsorted(shares, dice.random(count), side="right").tolist()
    return found


def make_titles(words: Words, dice: np.random.Generator, count: int) -> list[str]:
    """Titles of several forms, a thousandth of them withheld (specification §4)."""
    a, b, c = (words.draw(dice, count) for _ in range(3))
    forms = dice.integers(len(PATTERNS), size=count).tolist()
    numbers = dice.integers(2, 100, size=count).tolist()
    latin = dice.integers(len(LATIN), size=count).tolist()
    starred = (dice.random(count) < WITHHELD_SHARE).tolist()
    return [
        ("★ " if starred[i] else "")
        + PATTERNS[forms[i]].format(a=a[i], b=b[i], c=c[i], n=numbers[i], latin=LATIN[latin[i]])
        for i in range(count)
    ]


def make_names(dice: np.random.Generator, count: int) -> list[str]:
    """Names of people, each once, the same for the same seed."""
    found: dict[str, None] = {}
    while len(found) < count:
        first, second, third = (dice.integers(len(GIVEN)) for _ in range(3))
        surname = SURNAMES[dice.integers(len(SURNAMES))]
        found[surname + GIVEN[first] + (GIVEN[second] if third % 4 else "")] = None
    return list(found)
