"""A file that is not what was released, and how it is told."""

from __future__ import annotations

import sys
import sysconfig
from enum import StrEnum
from pathlib import Path

import msgspec

import liuying

PACKAGE = Path(liuying.__file__).parent
# Where third-party packages lie.
PACKAGES = frozenset(Path(sysconfig.get_path(name)) for name in ("purelib", "platlib"))


class Kind(StrEnum):
    """What was done to a file."""

    CHANGED = "changed"
    MISSING = "missing"
    ADDED = "added"
    LINK = "link"
    UNREADABLE = "unreadable"
    COMPILED = "compiled"
    MANIFEST = "manifest"
    SCRIPT = "script"


NAMES = {
    Kind.CHANGED: "内容变了",
    Kind.MISSING: "不见了",
    Kind.ADDED: "不是这个版本的文件",
    Kind.LINK: "变成了链接",
    Kind.UNREADABLE: "无法读取",
    Kind.COMPILED: "编译文件与源文件不一致",
    Kind.MANIFEST: "版本清单不可信",
    Kind.SCRIPT: "里有不是我们的脚本",
}


class Touched(msgspec.Struct, frozen=True, order=True):
    """A file that is not what was released.

    Attributes:
        path: Absolute.
        kind: What was done.
        text: What else is known, in Chinese; may be empty.
    """

    path: str
    kind: Kind
    text: str = ""

    @property
    def sentence(self) -> str:
        """For the operator."""
        return self._saying(self.path)

    @property
    def told(self) -> str:
        """The same, with the path as seen from the installation: where that is, is nobody's
        business on a page.
        """
        path = Path(self.path)
        roots = [PACKAGE.parent, *sorted(PACKAGES), Path(sys.prefix)]
        inside = (root for root in roots if path.is_relative_to(root) and path != root)
        root = next(inside, None)
        return self._saying(self.path if root is None else str(path.relative_to(root)))

    def _saying(self, path: str) -> str:
        return f"{path} {NAMES[self.kind]}{f'：{self.text}' if self.text else ''}"
