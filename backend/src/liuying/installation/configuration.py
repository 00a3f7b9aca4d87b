"""Filling in the templates of configurations, and what may stand in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

# What stands in both programs' files without quotes and means itself.
PLAIN_PATH = re.compile(r"/[A-Za-z0-9._/+-]*")


class DeploymentError(Exception):
    """A value cannot stand in a configuration. The message says which, in Chinese."""


def plain_path(path: Path) -> str:
    """A path as it stands in a configuration.

    Raises:
        DeploymentError: It has signs that would mean something else there.
    """
    text = str(path)
    if PLAIN_PATH.fullmatch(text) is None:
        raise DeploymentError(f"路径里只能有字母、数字和 ._-+/：{text}")
    return text


def filled(name: str, values: Mapping[str, str]) -> str:
    """A template with its marks replaced."""
    text = files("liuying.installation").joinpath("templates", name).read_text(encoding="utf-8")
    for mark, value in values.items():
        text = text.replace(f"@{mark}@", value)
    return text
