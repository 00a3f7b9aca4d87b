"""Arguments and options that several commands have. A number that no database holds is
wrong usage.
"""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.kit.identifiers import MAX_ID

VIDEO_IDS = typer.Argument(metavar="编号…", max=MAX_ID, help="视频编号，可以多个。")
POSITION = typer.Option("--position", min=0, max=MAX_ID, help="次序，小的在前。")

Number = Annotated[int, typer.Argument(metavar="编号", max=MAX_ID, help="编号，见 list。")]
VideoId = Annotated[int, typer.Argument(metavar="编号", max=MAX_ID, help="视频编号。")]
VideoIds = Annotated[list[int], VIDEO_IDS]
Position = Annotated[int | None, POSITION]
