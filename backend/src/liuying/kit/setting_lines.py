"""Lines `NAME=value` that systemd's `EnvironmentFile` (systemd.exec(5)) and a shell both read as
this module does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

# What stands without quotes and means itself, in a shell too.
PLAIN = re.compile(r"[A-Za-z0-9._/:@,+=%-]*")
# What a backslash stands before, within double quotes.
ESCAPED = re.compile(r'(["\\`$])')
LINE = re.compile(r"(?P<off>#?)(?:export )?(?P<name>[A-Z][A-Z0-9_]*)=(?P<value>.*)")


class SettingFileError(ValueError):
    """A line or a value cannot stand in the file. The message says which, in Chinese."""


def parse(text: str) -> dict[str, str]:
    """The variables that a file sets.

    Raises:
        SettingFileError: A line is neither a comment nor `NAME=value`.
    """
    found = {}
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        name, sign, value = line.removeprefix("export ").partition("=")
        if not sign or not name.strip():
            raise SettingFileError(f"第 {number} 行不是 名称=值：{name[:40]}")
        found[name.strip()] = _unquoted(value.strip())
    return found


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] == '"':
        return re.sub(r'\\(["\\`$])', r"\1", value[1:-1])
    if len(value) >= 2 and value[0] == value[-1] == "'":
        return value[1:-1]
    return value


def quoted(name: str, value: str) -> str:
    """A value as it stands in the file.

    Raises:
        SettingFileError: It holds a sign that cannot be written on one line.
    """
    if not value.isprintable():
        raise SettingFileError(f"{name} 里有不能写进设置文件的字符")
    if PLAIN.fullmatch(value):
        return value
    return '"' + ESCAPED.sub(r"\\\1", value) + '"'


def changed(text: str, values: Mapping[str, str]) -> str:
    """A file with other values: each in place of the line that sets it or shows its default, else
    at the end. Everything else stays.
    """
    lines = text.splitlines()
    for name, value in values.items():
        written = f"{name}={quoted(name, value)}"
        places = [
            (found["off"], number)
            for number, line in enumerate(lines)
            if (found := LINE.fullmatch(line.strip())) is not None and found["name"] == name
        ]
        # Of several lines the last one in force counts.
        in_force = [number for off, number in places if not off]
        if places:
            lines[(in_force or [places[-1][1]])[-1]] = written
        else:
            lines.append(written)
    return "\n".join(lines) + "\n"


def of_file(path: Path) -> dict[str, str]:
    """The variables that a file sets; none if there is no such file.

    Raises:
        SettingFileError: It cannot be read as one.
        OSError: It cannot be read at all.
    """
    try:
        return parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise SettingFileError(f"{path} 不是 UTF-8 的文本") from error
    except SettingFileError as error:
        raise SettingFileError(f"{path}：{error}") from error
