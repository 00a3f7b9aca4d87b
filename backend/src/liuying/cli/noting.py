"""What the audit log says of a command: who called it and what was typed.

Every command opens the installation in one place (`cli/opening.py`), and the entry is written by
the first transaction that it commits: reading leaves none.
"""

from __future__ import annotations

import os
import pwd
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from liuying.features.audit.service import Actor, Entry
from liuying.features.operators.rules import NAME_LENGTH, Role

# What commands act on, for people; others are named by what was typed alone.
NOUNS = {"video": "视频", "report": "举报", "feedback": "反馈", "jobs": "任务"}
# How a command answers, and not what it does.
LEFT_OUT = frozenset({"yes", "_yes", "as_json"})
VALUE_LENGTH = 200
TYPED = "COMMANDLINE"


def command_line() -> Actor:
    """Whoever calls a command may do everything; the name is the system user's."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = str(os.getuid())
    return Actor(f"命令行 {user}"[:NAME_LENGTH], Role.OWNER.value, None)


def entry_of(called: typer.Context) -> Entry:
    """`liuying video remove 12` is `video.remove` of 视频 12; its options are what becomes."""
    words = called.command_path.split()[1:]
    subject: list[str] = []
    options: dict[str, Any] = {}
    for parameter in called.command.params:
        name, value = parameter.name or "", called.params.get(parameter.name or "")
        source = called.get_parameter_source(name)
        if name in LEFT_OUT or source is None or source.name != TYPED:
            continue
        if parameter.param_type_name == "argument":
            subject += _texts(value)
        else:
            options[name] = value if isinstance(value, bool | int) else "、".join(_texts(value))
    noun = NOUNS.get(words[0], "") if subject else ""
    told = f"{noun} {'、'.join(subject)}".strip() or "liuying " + " ".join(words)
    return Entry(".".join(words), told, after=options or None)


def _texts(value: object) -> list[str]:
    return [_text(one) for one in (value if isinstance(value, list | tuple | set) else [value])]


def _text(value: object) -> str:
    if isinstance(value, Enum):
        value = value.value
    text = value.name if isinstance(value, Path) else str(value)
    # Names of files may hold bytes that are no text.
    return text.encode("utf-8", "replace").decode()[:VALUE_LENGTH]
