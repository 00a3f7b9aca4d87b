"""What an operator says of something, before it is written: each value by its own rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

# Name of a value → its check: returns what is written, or raises `InvalidInputError`.
Checks = Mapping[str, Callable[[Any], Any]]


def checked(draft: msgspec.Struct, checks: Checks) -> dict[str, Any]:
    """The values that a draft states, by name; those that are None are left as they are."""
    return {
        name: check(value)
        for name, check in checks.items()
        if (value := getattr(draft, name)) is not None
    }
