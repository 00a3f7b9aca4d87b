"""How the command line speaks: Typer's complaints in Chinese, and whatever stops a command in one
line.

Typer has no translations and exports few of its errors by name: they are told apart by what they
say of themselves. `tests/cli/test_usage.py` fails where a new version says something else.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from liuying.cli.called import CALLED
from liuying.cli.help_page import USAGE, HelpPage
from liuying.cli.output import EXIT_REFUSED, EXIT_USAGE
from liuying.kit.errors import LiuyingError
from liuying.kit.system_errors import fault_of
from liuying.kit.terminal_text import printable

EXIT_INTERRUPTED = 130
EXTRA_ARGUMENTS = re.compile(r"Got unexpected extra argument\(?s?\)? \((.*)\)")
# Pydantic's names of broken rules, and what to say of them; `{…}` are its own figures.
RULES = {
    "int_parsing": "应为整数",
    "int_from_float": "应为整数",
    "int_parsing_size": "数字过大",
    "float_parsing": "应为数字",
    "finite_number": "应为数字",
    "greater_than_equal": "不能小于 {ge}",
    "less_than_equal": "不能大于 {le}",
    "bool_parsing": "应为 true 或 false",
}


class UnknownCommandError(typer.TyperException):
    """A group has no command of this name."""

    def __init__(self, message: str, ctx: typer.Context) -> None:
        super().__init__(message)
        self.ctx = ctx


class CommandContext(typer.Context):
    """Of a command that is being called; its help is in Chinese."""

    # It writes what Typer's own page writes, whose class Typer does not export.
    formatter_class = HelpPage  # type: ignore[assignment]

    def invoke(self, *given: Any, **named: Any) -> Any:
        """Call the command's function, which the audit log then knows by this context."""
        called = CALLED.set(self)
        try:
            return super().invoke(*given, **named)
        finally:
            CALLED.reset(called)


class CommandGroup(TyperGroup):
    """A group of commands whose complaints are one Chinese line each."""

    context_class = CommandContext

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in self.commands.values():
            command.context_class = CommandContext

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is meant.

        Raises:
            UnknownCommandError: There is none of this name.
        """
        name = args[0]
        if name not in self.commands and not name.startswith("-"):
            raise UnknownCommandError(
                f"没有命令 {name}{_suggestion(get_close_matches(name, self.commands))}", ctx
            )
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and end the program: 0 done, 1 refused, 2 wrong usage or not confirmed, 130 after
        Ctrl-C.
        """
        run = partial(
            super().main,
            args=args,
            prog_name=prog_name,
            complete_var=complete_var,
            standalone_mode=False,
            windows_expand_args=windows_expand_args,
            **extra,
        )
        if not standalone_mode:
            return run()
        try:
            code = run()
        except typer.TyperException as error:
            if error.format_message().startswith(USAGE):  # nothing was typed: a page of help
                typer.echo(error.format_message(), err=True)
                sys.exit(EXIT_USAGE)
            _end(complaint(error) + _where_to_read(error), EXIT_USAGE)
        except typer.Abort:
            _end("已取消", EXIT_USAGE)
        except LiuyingError as error:
            _end(error.with_command, EXIT_REFUSED)
        except OSError as error:
            _end(fault_of(error), EXIT_REFUSED)
        except Exception as error:
            if (fault := _fault_of_database(error)) is None:
                raise
            _end(f"数据库无法使用：{fault}", EXIT_REFUSED)
        if code == EXIT_INTERRUPTED:
            _end("已中断", EXIT_INTERRUPTED)
        sys.exit(code if isinstance(code, int) else 0)


def complaint(error: typer.TyperException) -> str:
    """What is wrong with a command as it was typed: one sentence in Chinese."""
    option: str | None = getattr(error, "option_name", None)
    if isinstance(error, typer.BadParameter):
        is_missing = hasattr(error, "param_type")
        return (
            f"缺少 {_name(error)}"
            if is_missing
            else f"{_name(error)} 的值不对：{_broken_rule(error)}"
        )
    if option is not None and hasattr(error, "possibilities"):
        return f"没有选项 {option}{_suggestion(error.possibilities or [])}"
    if option is not None:
        return f"选项 {option} 后面{'要' if 'requires' in error.message else '不要'}写值"
    if found := EXTRA_ARGUMENTS.search(error.message):
        return f"多写了 {found[1]}"
    return "缺少命令" if error.message == "Missing command." else error.format_message()


def _fault_of_database(error: Exception) -> str | None:
    """Why the database cannot be used; None for everything else, faults of the program too."""
    import sqlalchemy as sa  # whatever raised such an error has loaded it; help does without

    from liuying.kit.database_errors import database_fault  # as above

    # Their subclasses are a broken constraint, a wrong statement: faults of the program.
    away = (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.DatabaseError)
    if not isinstance(error, sa.exc.DBAPIError) or type(error) not in away:
        return None
    return database_fault(error)


def _broken_rule(error: typer.BadParameter) -> str:
    from pydantic import ValidationError  # loaded where something is wrong, not by every command

    if not isinstance(error.__cause__, ValidationError):
        return error.message
    fault = error.__cause__.errors()[0]
    choices = getattr(getattr(error.param, "type_descriptor", None), "choices", None)
    if choices:
        return f"应为 {'、'.join(str(one) for one in choices)} 之一"
    rule = RULES.get(fault["type"])
    return str(fault["msg"]) if rule is None else rule.format(**fault.get("ctx", {}))


def _name(error: typer.BadParameter) -> str:
    hint = error.param_hint or (error.param.get_error_hint() if error.param is not None else "")
    return " / ".join([hint] if isinstance(hint, str) else hint).replace("'", "")


def _suggestion(possibilities: Sequence[str]) -> str:
    return f"，是不是 {' 或 '.join(sorted(possibilities))}？" if possibilities else ""


def _where_to_read(error: typer.TyperException) -> str:
    ctx: typer.Context | None = getattr(error, "ctx", None)
    return "" if ctx is None else f"（说明见 {ctx.command_path} --help）"


def _end(sentence: str, code: int) -> NoReturn:
    typer.echo(printable(sentence), err=True)
    sys.exit(code)
