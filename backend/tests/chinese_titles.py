"""Titles such as videos have, made up from a seed: words of many frequencies, numbers in both ways,
some Latin.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

COMMON = (
    "海边 夜景 城市 清晨 黄昏 极光 雪山 森林 草原 沙漠 湖畔 古镇 老街 市场 美食 拉面 火锅 烧烤 咖啡"
    " 茶道 音乐 钢琴 "
    "吉他 演唱 舞蹈 街舞 电影 纪录 动画 旅行 徒步 骑行 露营 航拍 延时 记录 日常 生活 故事 回忆 春天"
    " 夏日 秋色 冬夜 "
    "重庆 长沙 成都 北京 上海 台湾 厦门 乐山 银行 行走 长大 重逢 音乐会 图书馆 植物园 博物馆 火车站"
    " 日出 日落 星空 "
    "流星 银河 月亮 太阳 风景 山水 瀑布 溪流 大海 海浪 沙滩 渔村 帆船 灯塔 猫咪 小狗 熊猫 白鹭 蝴蝶"
    " 花开 樱花 竹林"
)
PATTERNS = (
    "{a}的{b}",
    "{a}{b}{c}",
    "在{a}看{b}",
    "{a}：{b}与{c}",
    "第{n}集 {a}{b}",
    "{a}{n}天{b}",
    "{a} {latin} {b}",
    "【{latin}】{a}{b}",
    "{a}，{b}了",
    "{a}{x}{y}{b}",
)
LATIN = ("4K", "HDR", "Vlog", "BGM", "JavaScript", "Live", "ＡＢＣ", "mini")
DIGITS = "零一二三四五六七八九"
# Rare characters: GB 2312's first level, in its own order of sounds.
RARE = [
    bytes((row, cell)).decode("gb2312") for row in range(0xB0, 0xD7) for cell in range(0xA1, 0xFF)
]


def make_titles(count: int, seed: int = 7) -> Iterator[str]:
    """Titles; the same for the same seed."""
    dice = random.Random(seed)  # noqa: S311  # no secret
    words = COMMON.split()
    weights = [1 / (place + 1) for place in range(len(words))]
    for _ in range(count):
        a, b, c = dice.choices(words, weights, k=3)
        number = dice.randrange(2, 100)
        written = str(number) if dice.random() < 0.5 else in_chinese(number)
        x, y = dice.choices(RARE, k=2)
        yield dice.choice(PATTERNS).format(
            a=a, b=b, c=c, x=x, y=y, n=written, latin=dice.choice(LATIN)
        )


def in_chinese(number: int) -> str:
    """`31` → `三十一`, for numbers below 100."""
    tens, ones = divmod(number, 10)
    lead = "" if tens == 0 else ("十" if tens == 1 else f"{DIGITS[tens]}十")
    return lead + (DIGITS[ones] if ones else "")
