"""Numbers written in Chinese, tokens, readings, beginnings."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypinyin import lazy_pinyin

from liuying.features.search.documents import score_of
from liuying.features.search.folding import fold
from liuying.features.search.numerals import with_digits
from liuying.features.search.pinyin import (
    has_initials,
    has_syllables,
    readings_of,
    runs_of,
    splits_of,
    syllables_of_mandarin,
)
from liuying.features.search.prefixes import starts_of
from liuying.features.search.tokens import tokens_of, tokens_of_word
from tests.chinese_titles import in_chinese, make_titles


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("三十而已", "30而已"),
        ("第三季", "第3季"),
        ("二〇二五年", "2025年"),
        ("一百零二", "102"),
        ("一百二", "一百二"),
        ("两万五千里", "25000里"),
        ("一千零一夜", "1001夜"),
        ("三亿两千万", "320000000"),
        ("千万别", "千万别"),
        ("百变", "百变"),
        ("万一", "万一"),
        ("十", "10"),
        ("30", "30"),
    ],
)
def test_numbers_as_digits(text: str, digits: str) -> None:
    assert with_digits(text) == digits


@given(st.integers(1, 99))
def test_every_number_below_100_is_read(number: int) -> None:
    assert with_digits(in_chinese(number)) == str(number)


@given(st.text(alphabet="零〇一二两三四五六七八九十百千万亿", max_size=12))
def test_any_run_of_numerals_is_a_number_or_stays(run: str) -> None:
    digits = with_digits(run)
    assert digits == run or digits.isdigit()


@given(st.text(max_size=30), st.data())
def test_a_text_has_the_tokens_of_each_of_its_words(text: str, data: st.DataObject) -> None:
    words = text.split()
    if not words:
        assert tokens_of(text) == set()
        return
    word = data.draw(st.sampled_from(words))
    start = data.draw(st.integers(0, len(word) - 1))
    part = word[start : data.draw(st.integers(start + 1, len(word)))]
    assert tokens_of(text).issuperset(tokens_of_word(part))
    assert all(token.isascii() and token.isalnum() for token in tokens_of(text))


def test_readings_name_alternatives_and_end_with_a_run() -> None:
    readings = readings_of(["重庆银行4K", "快乐"])
    assert readings.split(";") == [
        "chong/zhong/tong qing yin/ken hang/xing/heng",
        "kuai le/yue/yao",
    ] or (
        has_syllables(readings, ("chong", "qing", "yin", "hang"))
        and has_syllables(readings, ("kuai", "yue"))
    )
    assert not has_syllables(readings, ("hang", "kuai"))
    assert has_initials(readings, "zqyx")
    assert not has_initials(readings, "hkl")


def test_syllables_are_those_of_the_common_characters() -> None:
    found = syllables_of_mandarin()
    assert {"a", "zhuang", "lv", "nve", "er", "xiong"} < found
    assert not found & {"", "m", "hm", "ng", "lü", "lu\u0308", "zh"}
    read = {
        sound
        for sign in sorted(set("".join(make_titles(500))))
        for sound in readings_of([sign]).split("/")
    }
    assert {one for one in read if len(one) > 1} <= found
    assert len(read) > 150


def test_letters_are_split_into_syllables() -> None:
    assert splits_of("xian") == [("xian",), ("xi", "an")]
    assert splits_of("chayuansu")[0] == ("cha", "yuan", "su")
    assert splits_of("nue")[0] == ("nve",)
    assert splits_of("javascript") == []
    assert len(splits_of("a" * 64)) == 1
    assert splits_of("xian" * 15 + "q") == []


@given(st.text(alphabet="abcdeginoruxz", max_size=64))
def test_a_split_is_the_letters(letters: str) -> None:
    assert all("".join(one).replace("v", "u") == letters for one in splits_of(letters))


def test_beginnings_are_characters_pinyin_and_initials() -> None:
    assert starts_of(fold("【茶元素】的故事")) == {"茶元素】的故事", "chayuansu", "cys"}
    assert {"chongqing", "zhongqing", "cq", "zq"} < starts_of("重庆")
    assert starts_of("4k 夜市") == {"4k 夜市"}
    assert starts_of("！？") == set()


def test_a_score_rises_with_views_and_with_the_date() -> None:
    assert score_of(10, 0) < score_of(100, 0) < score_of(100, 10**11)
    assert score_of(-5, 0) == score_of(0, 0)
    assert score_of(1_000_000, 0) == score_of(1_000_001, 0)


@given(
    st.text(
        alphabet="长城重庆银行音乐快乐的我们了着过得地一二三都市和谐和面曾经参差不齐东西南北〇㐀",
        max_size=14,
    )
)
def test_words_are_read_as_in_their_phrase(run: str) -> None:
    """Phrases are looked up one by one; together they must be what the dictionary says of the
    whole.
    """
    sounds = [signs for one in runs_of(readings_of([run])) for signs in one]
    wanted = lazy_pinyin(run) if run else []
    assert len(sounds) == len(run)
    if len(wanted) == len(run):
        assert [one[0] for one in sounds] == [
            sound if sound.isascii() and sound.isalpha() else one[0]
            for sound, one in zip(wanted, sounds, strict=True)
        ]


@given(st.text(max_size=20))
def test_folded_texts_hold_no_signs_that_cannot_be_seen(text: str) -> None:
    assert not any(unicodedata.category(sign).startswith("C") for sign in fold(text))
