"""Pure rules of reports (docs/product.md#reports)."""

from __future__ import annotations

import re
import secrets
from enum import StrEnum
from typing import Literal

from liuying.kit.errors import InvalidInputError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import DAY, MINUTE, Limit, Rule

CONTENT_LENGTH, CONTACT_LENGTH, NOTE_LENGTH = 500, 100, 200
# What a video may be reported for.
Reason = Literal["违法违规", "侵犯版权", "侵犯隐私", "伤害未成年人", "虚假广告", "其他"]
OTHER: Reason = "其他"
EXPLAIN_MESSAGE = "请说明举报的原因"
# Crockford's base 32: no letter is mistaken for another or for a digit. 60 bits.
RECEIPT_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RECEIPT_LENGTH = 12
MISREAD = str.maketrans("OILU", "011V")
RECEIPT = re.compile(rf"[{RECEIPT_SIGNS}]{{{RECEIPT_LENGTH}}}")
UNKNOWN_RECEIPT = "没有这个回执，请核对后再试"
PURPOSE = "report day"
REPORTS = Limit("report", (Rule(5, MINUTE), Rule(30, DAY)))
# Guessing a receipt takes 2^60 attempts.
RECEIPTS = Limit("receipt", (Rule(20, MINUTE),))


class State(StrEnum):
    """What became of the reports of a video."""

    NEW = "new"
    IN_WORK = "in_work"
    REMOVED = "removed"
    # Removed, and taken out of the bin again.
    RESTORED = "restored"
    DISMISSED = "dismissed"


DECISIONS = (State.REMOVED, State.DISMISSED)
STATE_TEXTS = {
    State.NEW: "已收到，等待处理",
    State.IN_WORK: "正在处理",
    State.REMOVED: "已处理：视频已下架",
    State.RESTORED: "已处理：视频曾经下架，复核后已恢复",
    State.DISMISSED: "已处理：没有发现违规",
}


def new_salt() -> str:
    """What tells receipts of the same report apart: 32 hexadecimal digits."""
    return secrets.token_hex(16)


def receipt_of(hashes: KeyedHashes, salt: str, *sent: object) -> str:
    """The receipt of what somebody sent, which nobody guesses. Whoever knows neither the salt nor
    the installation's pepper cannot compute it; once the salt is forgotten, nobody can.
    """
    signs = hashes.digest("new receipt", salt, *sent)[:RECEIPT_LENGTH]
    return "".join(RECEIPT_SIGNS[sign % len(RECEIPT_SIGNS)] for sign in signs)


def read_receipt(text: str) -> str | None:
    """A receipt as it was issued, from what somebody typed; None if it cannot be one."""
    plain = re.sub(r"[\s\-–—]", "", text).upper().translate(MISREAD)
    return plain if RECEIPT.fullmatch(plain) else None


def hash_of(hashes: KeyedHashes, receipt: str) -> str:
    """What is stored of a receipt: 64 hexadecimal digits."""
    return hashes.digest("receipt", receipt).hex()


def checked_text(text: str, reason: str) -> str:
    """What a report says, stripped of blanks; only the reason 其他 needs an explanation.

    Raises:
        InvalidInputError: It is missing or too long.
    """
    content = text.strip()
    if not content and reason == OTHER:
        raise InvalidInputError(EXPLAIN_MESSAGE, "content")
    if len(content) > CONTENT_LENGTH:
        raise InvalidInputError(f"说明最多 {CONTENT_LENGTH} 个字符", "content")
    return content
