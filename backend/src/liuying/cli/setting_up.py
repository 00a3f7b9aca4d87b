"""Carrying out what was answered to `liuying setup`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from liuying.cli.output import AGREEMENT, refuse, refuse_usage
from liuying.kit.system_errors import reason_of

if TYPE_CHECKING:
    from liuying.installation.first_settings import Answers
    from liuying.installation.settings import Settings

HIDDEN = frozenset({"LIUYING_S3_ACCESS_KEY", "LIUYING_S3_SECRET_KEY"})
# The settings hold keys: root writes them, the site's group reads them.
FILE_MODE = 0o640


def carry_out(
    path: Path, present: dict[str, str], answers: Answers, names: list[str], *, is_agreed: bool
) -> None:
    """Try what was answered, write it, make the categories, and say what is next."""
    from liuying.installation.environment import SettingsError, read_settings
    from liuying.installation.first_settings import values_of
    from liuying.installation.setting_file import commented
    from liuying.kit.files import atomic_write
    from liuying.kit.setting_lines import SettingFileError, changed

    values = values_of(answers)
    base = {name: text for name, text in os.environ.items() if name == "LIUYING_DATA_DIR"} | present
    try:
        settings = read_settings(base | values)
    except SettingsError as error:
        refuse_usage(str(error))
    if "LIUYING_DATA_DIR" not in present:
        values["LIUYING_DATA_DIR"] = str(settings.data_dir)
    with _as_owner(settings.data_dir):
        _try_storage(settings, base)
    _agree_on(path, present, values, is_agreed=is_agreed)
    try:
        old = path.read_text(encoding="utf-8") if path.exists() else commented({})
        text = changed(
            old, {name: value for name, value in values.items() if value or name in present}
        )
        with atomic_write(path, mode=FILE_MODE) as file:
            file.write(text.encode())
            if path.exists():
                about = path.stat()
                os.fchown(file.fileno(), about.st_uid, about.st_gid)
                os.fchmod(file.fileno(), about.st_mode & 0o777)
    except SettingFileError as error:
        refuse_usage(str(error))
    except OSError as error:
        refuse(f"无法写入 {path}：{reason_of(error)}")
    typer.echo(f"已写入 {path}")
    os.environ.update(base | values)
    with _as_owner(settings.data_dir):
        _make_categories(names)
    from liuying.cli.setup_steps import steps

    typer.echo("\n接下来：\n" + "\n".join(f"  {line}" for line in steps(path, answers)))


@contextmanager
def _as_owner(folder: Path) -> Iterator[None]:
    """Root makes files in the data folder as their owner would: the site must be able to change
    them.
    """
    about = folder.stat() if os.geteuid() == 0 and folder.is_dir() else None
    if about is None or about.st_uid == 0:
        yield
        return
    group = os.getegid()
    os.setegid(about.st_gid)
    os.seteuid(about.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)


def _try_storage(settings: Settings, base: dict[str, str]) -> None:
    from liuying.installation.environment import SettingsError, read_settings
    from liuying.installation.first_settings import TRIAL, AnswerError, try_folder
    from liuying.installation.lost_parts import is_installed
    from liuying.installation.object_store import open_object_store
    from liuying.kit.database import Database
    from liuying.kit.object_store import ObjectStoreError

    try:
        before = read_settings(base)
    except SettingsError:
        before = settings
    try:
        try_folder(settings.data_dir)
    except AnswerError as error:
        refuse_usage(str(error))
    if before.store != settings.store:
        database = Database(before.database)
        try:
            has_data = is_installed(database, open_object_store(before, database))
        finally:
            database.close()
        if has_data:
            refuse("这里已有网站的数据，不能只改存放的地方：请用 liuying move 搬过去")
    if (place := settings.s3_place) is not None:
        from liuying.kit.s3_bucket import try_bucket

        try:
            if not try_bucket(place, TRIAL):
                refuse("桶里读出的与写入的不同")
        except ObjectStoreError as error:
            refuse(str(error))


def _agree_on(
    path: Path, present: dict[str, str], values: dict[str, str], *, is_agreed: bool
) -> None:
    """Ask before a value that somebody set becomes another one."""
    differing = [name for name, value in values.items() if present.get(name, value) != value]
    if not differing or is_agreed:
        return
    for name in differing:
        old, new = ("（不显示）",) * 2 if name in HIDDEN else (present[name], values[name])
        typer.echo(f"  {name}：{old or '（空）'} → {new or '（空）'}", err=True)
    if not sys.stdin.isatty():
        refuse_usage(f"{path} 里已有别的值，改变它们请加 --yes")
    answer = typer.prompt(
        "改变上面的值吗？输入 y 继续", default="n", show_default=False, prompt_suffix="：", err=True
    )
    if answer.strip().lower() not in AGREEMENT:
        refuse_usage("已取消，什么也没有改变")


def _make_categories(names: list[str]) -> None:
    """Make those that are missing."""
    from liuying.cli.opening import installation
    from liuying.core.catalogue import editing
    from liuying.core.catalogue.queries.names import all_categories
    from liuying.features.audit.service import Entry

    if not names:
        return
    entry = Entry("setup", "分类", after={"name": "、".join(names)})
    with installation(entry=entry) as services, services.database.write() as connection:
        there = {row["name"] for row in all_categories(connection)}
        for name in names:
            if name not in there:
                editing.add_category(connection, name, None, None)
    typer.echo(f"分类：{'、'.join(names)}")
