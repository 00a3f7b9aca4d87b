"""Which command is running."""

from __future__ import annotations

from contextvars import ContextVar

import typer

# None outside of commands.
CALLED: ContextVar[typer.Context | None] = ContextVar("called", default=None)
