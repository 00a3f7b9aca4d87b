"""Opening the installation that a command works on; what keeps it from opening ends the program."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING

import sqlalchemy as sa
import typer

from liuying.cli.called import CALLED
from liuying.cli.output import EXIT_USAGE, refuse
from liuying.installation.environment import SettingsError, read_settings
from liuying.installation.lost_parts import (
    LostDatabaseError,
    NoInstallationError,
    require_installation,
)
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying.kit.errors import LiuyingError
from liuying.kit.installation_lock import InstallationBusyError, use_alone, use_together
from liuying.kit.object_store import ObjectStoreError, ObjectStoreRefusedError
from liuying.kit.secrets import SecretsError
from liuying.kit.storage_layout import StorageLayout

if TYPE_CHECKING:
    from liuying.features.audit.service import Entry


def settings_or_exit() -> Settings:
    """The settings; a wrong one ends the program with one line and code 2."""
    try:
        return read_settings(os.environ)
    except SettingsError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_USAGE) from error


@contextmanager
def opened_services(
    *,
    may_begin: bool = True,
    is_migration: bool = False,
    is_noted: bool = True,
    entry: Entry | None = None,
) -> Iterator[Services]:
    """The installation, migrated, open until the block ends.

    Args:
        may_begin: Whether one is made where none is; otherwise the program ends, and nothing is
            written.
        is_migration: Whether to migrate even where the settings leave that to `liuying migrate`.
        is_noted: Whether the audit log tells of the command, if it writes anything: not of what
            runs for long and does other people's work.
        entry: What it tells; None for what was typed.
    """
    from liuying.installation.migrating import (
        bring_up_to_date,  # the migration library is not loaded before the settings are right
    )

    settings = settings_or_exit()
    if not may_begin:
        installation_or_exit(settings)
    with _used_together(settings.layout):
        try:
            services = open_services(settings)
        except (SecretsError, LostDatabaseError, ObjectStoreError) as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(EXIT_USAGE) from error
        try:
            bring_up_to_date(services, may_migrate=is_migration or settings.auto_migrate)
            with _noted(services, entry) if is_noted else nullcontext():
                yield services
        finally:
            services.database.close()


def installation_or_exit(settings: Settings) -> None:
    """Settings that lead to no installation end the program with one line and code 2."""
    try:
        require_installation(settings)
    except (NoInstallationError, ObjectStoreError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_USAGE) from error


@contextmanager
def _noted(services: Services, entry: Entry | None) -> Iterator[None]:
    called = CALLED.get()
    if called is None:
        yield
        return
    from liuying.cli.noting import command_line, entry_of
    from liuying.features.audit.service import noted_if_written

    told = entry_of(called) if entry is None else entry
    with noted_if_written(services.clock, command_line(), told):
        yield


def store_or_exit(services: Services) -> None:
    """A store that will never let us in ends the program, before anything begins."""
    from liuying.installation.object_store import require_store

    try:
        require_store(services.objects)
    except ObjectStoreRefusedError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_USAGE) from error


@contextmanager
def _used_together(layout: StorageLayout) -> Iterator[None]:
    """The data folder, beside other programs, after a restore that was killed has been finished."""
    from liuying.workflows.restore import finish_restore

    try:
        if layout.moving_out.is_dir() or layout.moving_in.is_dir():
            with use_alone(layout):
                finish_restore(layout, system_clock())
        held = ExitStack()
        held.enter_context(use_together(layout))
    except InstallationBusyError as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(1) from error
    with held:
        yield


@contextmanager
def installation(
    *, may_begin: bool = True, is_noted: bool = True, entry: Entry | None = None
) -> Iterator[Services]:
    """The open installation; a refusal inside the block ends the program with its one line and code
    1. The arguments are those of `opened_services`.
    """
    try:
        with opened_services(may_begin=may_begin, is_noted=is_noted, entry=entry) as services:
            yield services
    except LiuyingError as error:
        refuse(error.with_command)
    except (OverflowError, sa.exc.DataError):  # of SQLite's driver, and of PostgreSQL
        refuse("数字过大")


def existing_installation(*, entry: Entry | None = None) -> AbstractContextManager[Services]:
    """`installation` for what only reads, or changes what is there: it makes none."""
    return installation(may_begin=False, entry=entry)
