"""Text files of an operator: UTF-8, or what Windows writes in Chinese."""

from __future__ import annotations

from liuying.kit.errors import InvalidInputError


def text_of(content: bytes, name: str) -> str:
    """A file's text, read as UTF-8 (with or without its mark), else as GB 18030.

    Args:
        name: What the file is, for the refusal.

    Raises:
        InvalidInputError: It is neither, or holds a NUL.
    """
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise InvalidInputError(f"{name} 不是 UTF-8 或 GB 18030 编码的文字")
