"""Reading the settings from the environment, once: refused with one clear line if invalid."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa

from liuying.installation.settings import SECRETS, Settings
from liuying.kit.system_errors import reason_of

# A setting of `SECRETS` stands in the file whose path the variable with this suffix gives.
FILE_SUFFIX = "_file"
MAX_KEY_FILE_BYTES = 4096
ENGINES = frozenset({"sqlite", "sqlite+pysqlite", "postgresql+psycopg"})
# Variables with the same prefix that other parts read: the transcoder's program, the tests' clips.
NOT_SETTINGS = frozenset(
    {
        "LIUYING_FFMPEG",
        "LIUYING_SETTINGS_FILE",  # of the packages' command
        "LIUYING_SAMPLES",
        "LIUYING_TEST_POSTGRES",
        "LIUYING_CHROMIUM",
    }
)


class SettingsError(Exception):
    """A setting is invalid. The message names the variable and the rule, in Chinese."""


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Build the settings from environment variables.

    Raises:
        SettingsError: A value is invalid, or a `LIUYING_` variable is unknown.
    """
    values: dict[str, Any] = {}
    for name in ("host", "port"):
        if environment.get(name.upper()):
            values[name] = environment[name.upper()]
    known = {field.name for field in msgspec.structs.fields(Settings)}
    for variable, text in environment.items():
        if not variable.startswith("LIUYING_") or variable in NOT_SETTINGS:
            continue
        name = variable.removeprefix("LIUYING_").lower()
        if name.removesuffix(FILE_SUFFIX) in SECRETS and name.endswith(FILE_SUFFIX):
            if text:
                values[name.removesuffix(FILE_SUFFIX)] = _text_of_file(variable, text)
            continue
        if name not in known:
            raise SettingsError(f"不认识的设置 {variable}")
        values[name] = text
    for name in ("data_dir", "web_dir", "console_dir"):
        if name in values:
            values[name] = Path(values[name]).expanduser().absolute()
    return _checked(values)


def _checked(values: dict[str, Any]) -> Settings:
    try:
        settings = msgspec.convert(values, Settings, strict=False)
        # Errors in these texts are reported here, not at the first request.
        _ = settings.site_origin, settings.allowed_origins, settings.framing_origins
        _ = settings.page_view_tool, settings.webhook, settings.s3_place, settings.console_address
    except msgspec.ValidationError as error:
        raise SettingsError(f"设置有误：{_broken_rule(str(error))}") from error
    except ValueError as error:
        raise SettingsError(f"设置有误：{error}") from error
    try:
        _ = settings.proxy_trust
    except ValueError as error:
        raise SettingsError(
            "设置有误：LIUYING_TRUSTED_PROXIES 应为用逗号分开的网段，例如 10.0.0.0/8"
        ) from error
    try:
        urlsplit(settings.media_base)
    except ValueError as error:  # brackets that hold no address of IPv6
        raise SettingsError(
            "设置有误：LIUYING_MEDIA_BASE 的写法不对，见 docs/operating.md 的表"
        ) from error
    if settings.is_console_exposed:
        raise SettingsError(
            "设置有误：LIUYING_CONSOLE_HOST 不是本机地址，需要 https 的 LIUYING_CONSOLE_ORIGIN"
        )
    _check_database(settings.database)
    return settings


def _text_of_file(variable: str, path: str) -> str:
    """A setting that stands in a file, without white space at its ends."""
    try:
        with Path(path).expanduser().open("rb") as file:
            text = file.read(MAX_KEY_FILE_BYTES + 1).decode().strip()
    except OSError as error:
        raise SettingsError(f"{variable} 指的文件读不了：{reason_of(error)}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{variable} 指的文件不是文本") from error
    if not text or len(text) > MAX_KEY_FILE_BYTES:
        raise SettingsError(f"{variable} 指的文件是空的，或大于 4 KB")
    return text


def _broken_rule(fault: str) -> str:
    """Name the variable whose value has the wrong type, and what it should be."""
    name = fault.rpartition("$.")[2].rstrip("`")
    variable = name.upper() if name in {"host", "port"} else f"LIUYING_{name.upper()}"
    field = next(one for one in msgspec.inspect.type_info(Settings).fields if one.name == name)  # type: ignore[attr-defined]  # a struct's
    match field.type:
        case msgspec.inspect.IntType(ge=low, le=high):
            return f"{variable} 应为 {low} 到 {high} 的整数"
        case msgspec.inspect.BoolType():
            return f"{variable} 应为 true 或 false"
        case msgspec.inspect.LiteralType(values=values):
            return f"{variable} 应为 {'、'.join(str(one) for one in values)} 之一"
    return f"{variable} 的写法不对，见 docs/operating.md 的表"


def _check_database(url: str) -> None:
    """Refuse an address that does not lead to a supported database. The message does not repeat
    it: it may contain a password.
    """
    try:
        engine = sa.make_url(url).drivername
    except sa.exc.ArgumentError:
        engine = ""
    if engine not in ENGINES:
        raise SettingsError(
            "设置有误：LIUYING_DATABASE_URL 应为 postgresql+psycopg://用户:密码@主机/库名，或留空使"
            "用 SQLite"
        )
