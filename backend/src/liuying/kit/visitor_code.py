"""The data code, which identifies a visitor (specification §5, docs/product.md#identity)."""

from __future__ import annotations

import re
from typing import Annotated, NewType

import msgspec

from liuying.kit.errors import InvalidInputError

VisitorCode = NewType("VisitorCode", str)
CODE_MESSAGE = "请输入正确的资料识别码"
CODE = re.compile(r"[0-9a-z]{6,12}")
# Only documents the calls: other texts are refused with the specified message.
CodeText = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": "^[0-9a-z]{6,12}$"})]
OptionalCodeText = Annotated[
    str, msgspec.Meta(extra_json_schema={"pattern": "^([0-9a-z]{6,12})?$"})
]


def parse_code(text: str, field: str = "uuid") -> VisitorCode:
    """A code of 6 to 12 lowercase letters and digits.

    Args:
        field: Where it was sent, by its name on the wire.

    Raises:
        InvalidInputError: It is not a valid code.
    """
    if CODE.fullmatch(text) is None:
        raise InvalidInputError(CODE_MESSAGE, field)
    return VisitorCode(text)
