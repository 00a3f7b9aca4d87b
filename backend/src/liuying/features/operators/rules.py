"""Roles, and how long what opens the console is valid."""

from __future__ import annotations

import re
from enum import StrEnum

from liuying.kit.clock import HOUR_MS, Milliseconds
from liuying.kit.errors import InvalidInputError
from liuying.kit.texts import required_text

LINK_MS: Milliseconds = 5 * 60_000
IDLE_MS: Milliseconds = 30 * 60_000
LONGEST_MS: Milliseconds = 12 * HOUR_MS
CHALLENGE_MS: Milliseconds = 2 * 60_000
# A session's last use is written down at most so often.
TOUCHED_MS: Milliseconds = 60_000
# Bytes of randomness of whatever opens the console.
TOKEN_BYTES = 32
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
NAME_LENGTH = 24
DEVICE_LENGTH = 120


class Role(StrEnum):
    """What an operator may do: everything; whatever concerns content; look at figures."""

    OWNER = "owner"
    EDITOR = "editor"
    VIEWER = "viewer"

    def includes(self, other: Role) -> bool:
        """Whether this role may do whatever the other one may."""
        return RANKS[self] >= RANKS[other]


RANKS = {Role.VIEWER: 0, Role.EDITOR: 1, Role.OWNER: 2}
ROLE_NAMES = {Role.OWNER: "站长", Role.EDITOR: "编辑", Role.VIEWER: "查看"}


def operator_name(text: str) -> str:
    """A name as it is stored.

    Raises:
        InvalidInputError: It is blank or too long.
    """
    return required_text("名字", text, NAME_LENGTH)


def read_role(text: str) -> Role:
    """A role by its name.

    Raises:
        InvalidInputError: There is none of this name.
    """
    try:
        return Role(text)
    except ValueError as error:
        said = "、".join(f"{role.value}（{name}）" for role, name in ROLE_NAMES.items())
        raise InvalidInputError(f"角色应为 {said} 之一", "role") from error
