"""Drafts: values that an operator gives, each validated by its own rule before it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

# Name of a value → its check, which returns what is written or raises `InvalidInputError`.
Checks = Mapping[str, Callable[[Any], Any]]


def checked(draft: msgspec.Struct, checks: Checks) -> dict[str, Any]:
    """Validate the values of a draft by name; None leaves a value as it is."""
    return {
        name: check(value)
        for name, check in checks.items()
        if (value := getattr(draft, name)) is not None
    }
