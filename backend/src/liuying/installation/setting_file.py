"""The one commented file of all settings: packages install it, `liuying setup` fills it in."""

from __future__ import annotations

from collections.abc import Mapping

from liuying.installation.setting_texts import GROUPS
from liuying.installation.settings import Settings
from liuying.kit.setting_lines import quoted

# Their defaults are places of whoever asks.
PLACES = frozenset({"data_dir", "web_dir", "console_dir"})
HEAD = """\
# 流影的设置，每行一个 名称=值。改了之后重启网站才生效。
# 前面有 # 的一行没有起作用，写的是默认值；值里有空格等符号时用双引号括起来。
# 每一项的说明见 docs/operating.md 的“设置”；liuying setup 可以一步步填写。
"""


def variable(field: str) -> str:
    """The variable of a field of `Settings`."""
    return field.upper() if field in {"host", "port"} else f"LIUYING_{field.upper()}"


def commented(values: Mapping[str, str], further: str = "") -> str:
    """A whole file: every setting with its text, in force if `values` has it.

    Args:
        values: Values by variable.
        further: Lines of whoever starts the program, which are no settings of its own.
    """
    default = Settings()
    parts = [HEAD]
    for group, fields in GROUPS.items():
        parts.append(f"\n# ── {group} ──\n")
        for field, text in fields.items():
            name = variable(field)
            shown = "" if field in PLACES else _text(getattr(default, field))
            line = f"{name}={quoted(name, values[name])}" if name in values else f"#{name}={shown}"
            parts.append(f"\n# {text}\n{line}\n")
    return "".join(parts) + further


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
