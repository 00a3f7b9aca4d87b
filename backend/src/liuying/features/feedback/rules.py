"""Pure rules of feedback (specification §6)."""

from __future__ import annotations

from typing import Literal

from liuying.kit.errors import InvalidInputError
from liuying.kit.limits import DAY, MINUTE, Limit, Rule

MIN_LENGTH, MAX_LENGTH = 8, 180
EMPTY_MESSAGE = "详情描述不能为空"
LENGTH_MESSAGE = "详情描述仅能介于 8 ~ 180 个字符"
# The types of issue (specification §5); the first is the default.
IssueType = Literal["无法播放", "播放卡顿", "标签错误", "分类错误", "搜索不准", "推荐不准", "其他"]
DEFAULT_TITLE: IssueType = "无法播放"
# A spreadsheet reads a cell that begins with one of these as a formula; some take the full-width
# forms of Chinese input for the signs themselves.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
REPORTS = Limit("feedback", (Rule(5, MINUTE), Rule(30, DAY)))


def checked_content(text: str) -> str:
    """A description stripped of blanks. Its length is counted in code points.

    Raises:
        InvalidInputError: It is empty, too short or too long.
    """
    content = text.strip()
    if not content:
        raise InvalidInputError(EMPTY_MESSAGE, "content")
    if not MIN_LENGTH <= len(content) <= MAX_LENGTH:
        raise InvalidInputError(LENGTH_MESSAGE, "content")
    return content


def defused(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return (
        f"'{text}"
        if text.lstrip().startswith(FORMULA_SIGNS) or text.startswith(FORMULA_SIGNS)
        else text
    )
