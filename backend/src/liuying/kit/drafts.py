"""Drafts: values that an operator gives, each validated by its own rule before it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from liuying.kit.errors import InvalidInputError

# Name of a value → its check, which returns what is written or raises `InvalidInputError`.
Checks = Mapping[str, Callable[[Any], Any]]


def checked(draft: msgspec.Struct, checks: Checks) -> dict[str, Any]:
    """Validate the values of a draft by name; None leaves a value as it is.

    Raises:
        InvalidInputError: A value is invalid; the error names its field.
    """
    values = {}
    for name, check in checks.items():
        value = getattr(draft, name)
        if value is None:
            continue
        try:
            values[name] = check(value)
        except InvalidInputError as error:
            error.field = error.field or name
            raise
    return values
