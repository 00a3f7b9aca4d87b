"""The command `liuying`. Options and exit codes stand here, the work elsewhere."""

from __future__ import annotations

import typer

from liuying.cli.command_table import LazyCommandGroup

app = typer.Typer(
    cls=LazyCommandGroup,
    no_args_is_help=True,
    add_completion=False,
    help="流影：自建的手机视频站。",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _root() -> None:
    """Nothing of its own: Typer makes a group of whatever has a callback."""
