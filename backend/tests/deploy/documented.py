"""The commands of the operator's page, so that tests run what operators run."""

from __future__ import annotations

import re

from liuying.installation.settings import REPOSITORY


def documented(first: str) -> str:
    """The commands of which the first begins so, without the page's indentation.

    Raises:
        ValueError: There are none.
    """
    page = (REPOSITORY / "docs" / "operating.md").read_text(encoding="utf-8")
    found = re.search(rf"^( *)```\n *{re.escape(first)}[^`]*^ *```$", page, re.MULTILINE)
    if found is None:
        raise ValueError(first)
    lines = found[0].splitlines()[1:-1]
    return "".join(f"{line.removeprefix(found[1])}\n" for line in lines)
