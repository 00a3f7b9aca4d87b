"""Configurations that commands write: into a file, or onto the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liuying.cli.output import confirm, refuse, tell
from liuying.kit.system_errors import reason_of

Output = Annotated[Path | None, typer.Option("--output", help="写进这个文件；不给就输出到屏幕。")]


def write_text(text: str, output: Path | None, *, is_agreed: bool, as_json: bool) -> None:
    """Write a configuration where the operator wants it; one that is there is replaced only where
    that is agreed.
    """
    if output is None:
        tell(text.rstrip("\n"), {"text": text}, as_json=as_json)
        return
    if output.exists():
        confirm(f"{output} 已存在，将被替换。", is_agreed=is_agreed)
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        refuse(f"无法写入 {output}：{reason_of(error)}")
    tell(f"已写入 {output}", {"file": str(output)}, as_json=as_json)
