"""Help of the commands in Chinese, folded by the width that signs take on the screen."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.cells import cell_len

USAGE = "用法："
HEADINGS = {"Options": "选项", "Arguments": "参数", "Commands": "命令"}
TYPES = {"str": "文字", "int": "整数", "float": "数字", "path": "路径"}
TYPE = re.compile(r"<(?:list\[)?(str|int|float|[Pp]ath)(?: range)?\]?>")
# Signs that may not stand at the beginning of a line stay with what is before them.
CLOSING = "，。；：、！？）」》…"
UNIT = re.compile(rf"[!-~]+[{CLOSING}]*|\s|.[{CLOSING}]*")
# Chinese needs none where a line of the source ends; an option of a command keeps its own.
NO_BLANK = re.compile(r"(?<=[\u3000-\uffef])\n(?!-)")
FEWEST_COLUMNS = 20
GAP = INDENT = 2
LEAST_WIDTH, WIDTH = 50, 80
WIDEST_NAME = 26


class HelpPage:
    """A page of help, written from the top: what Typer asks of whatever formats its help.

    Args:
        width: Columns; None takes the terminal's.
        max_width: Columns at the most where the terminal's are taken.
    """

    def __init__(self, width: int | None = None, max_width: int | None = None) -> None:
        columns = min(shutil.get_terminal_size().columns, max_width or WIDTH)
        self.width = max(columns - INDENT, LEAST_WIDTH) if width is None else width
        self.current_indent = 0
        self.buffer: list[str] = []

    def write(self, text: str) -> None:
        """Add a text as it is."""
        self.buffer.append(text)

    def write_paragraph(self) -> None:
        """Begin a paragraph; nothing at the page's top."""
        if self.buffer:
            self.write("\n")

    @contextmanager
    def indentation(self) -> Iterator[None]:
        """Whatever is written inside stands further to the right."""
        self.current_indent += INDENT
        try:
            yield
        finally:
            self.current_indent -= INDENT

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Whatever is written inside stands below a heading."""
        self.write_paragraph()
        self.write_heading(name)
        with self.indentation():
            yield

    def getvalue(self) -> str:
        """The page."""
        return "".join(self.buffer)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        args = (
            args.replace("[OPTIONS]", "[选项]")
            .replace("COMMAND [ARGS]...", "命令 …")
            .replace("...", "…")
        )
        self.write(f"{prefix or USAGE}{prog} {args}\n")

    def write_heading(self, heading: str) -> None:
        """Write a heading in Chinese."""
        self.write(f"{HEADINGS.get(heading, heading)}：\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, folded."""
        margin = " " * self.current_indent
        for paragraph in text.split("\n\n"):
            lines = fold(
                NO_BLANK.sub("", paragraph).replace("\n", " "), self.width - self.current_indent
            )
            self.write("\n".join(margin + line for line in lines) + "\n\n")
        self.buffer[-1] = self.buffer[-1].removesuffix("\n")

    def write_dl(
        self, rows: Sequence[tuple[str, str]], col_max: int = WIDEST_NAME, col_spacing: int = GAP
    ) -> None:
        """Write names with their texts beside them, in two columns."""
        named = [(_in_chinese_type(name), _in_chinese(text)) for name, text in rows]
        column = min(max(cell_len(name) for name, _ in named), col_max) + col_spacing
        margin = " " * self.current_indent
        for name, text in named:
            lines = fold(text, max(self.width - self.current_indent - column, FEWEST_COLUMNS))
            is_beside = cell_len(name) + col_spacing <= column
            first = name + " " * (column - cell_len(name)) + lines.pop(0) if is_beside else name
            self.write(
                "".join(
                    f"{margin}{line}".rstrip() + "\n"
                    for line in [first, *(" " * column + one for one in lines)]
                )
            )


def fold(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` columns, at blanks and between Chinese signs.

    A word without a place to break stays whole.
    """
    lines = [""]
    for unit in UNIT.findall(text):
        if lines[-1] and cell_len(lines[-1] + unit.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += unit if lines[-1] else unit.lstrip()
    return lines


def _in_chinese_type(name: str) -> str:
    return TYPE.sub(lambda found: f"<{TYPES[found[1].lower()]}>", name)


def _in_chinese(text: str) -> str:
    if text == "Show this message and exit.":
        return "显示这段说明。"
    said, bracket, extras = text.rpartition("[")
    if not bracket or not extras.endswith("]"):
        return text
    notes = [note for one in extras.removesuffix("]").split("; ") if (note := _note(one))]
    return said.rstrip() + (f"（{'；'.join(notes)}）" if notes else "")


def _note(extra: str) -> str:
    """What Typer adds to an option, in Chinese: `required`, `default: 10`, `1<=x<=30`."""
    if extra == "required":
        return "必填"
    if extra.startswith("default: "):
        return f"默认 {extra.removeprefix('default: ')}"
    if found := re.fullmatch(r"(?:(\S+)<=)?x(?:<=(\S+)|>=(\S+))?", extra):
        low, high = found[1] or found[3], found[2]
        return f"{low} 到 {high}" if low and high else f"不小于 {low}" if low else f"不大于 {high}"
    return extra
