"""Opening the installation that a command works on; what keeps it from opening ends the program."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import sqlalchemy as sa
import typer

from liuying.cli.output import EXIT_USAGE, refuse
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings, SettingsError, read_settings
from liuying.kit.clock import system_clock
from liuying.kit.errors import LiuyingError
from liuying.kit.installation_lock import InstallationBusyError, use_alone, use_together
from liuying.kit.secrets import SecretsError


def settings_or_exit() -> Settings:
    """The settings; a wrong one ends the program with one line and code 2."""
    try:
        return read_settings(os.environ)
    except SettingsError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_USAGE) from error


@contextmanager
def opened_services() -> Iterator[Services]:
    """The installation, migrated, open until the block ends."""
    from liuying.installation.migrating import (
        migrate,  # the migration library is not loaded before the settings are right
    )

    settings = settings_or_exit()
    with _used_together(settings.data_dir):
        try:
            services = open_services(settings)
        except SecretsError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(EXIT_USAGE) from error
        try:
            migrate(services.database)
            yield services
        finally:
            services.database.close()


@contextmanager
def _used_together(data_dir: Path) -> Iterator[None]:
    """The data folder, beside other programs, after a restore that was killed has been finished."""
    from liuying.workflows.restore import MOVING_IN, MOVING_OUT, finish_restore

    try:
        if (data_dir / MOVING_OUT).is_dir() or (data_dir / MOVING_IN).is_dir():
            with use_alone(data_dir):
                finish_restore(data_dir, system_clock())
        held = ExitStack()
        held.enter_context(use_together(data_dir))
    except InstallationBusyError as error:
        typer.echo(error.message, err=True)
        raise typer.Exit(1) from error
    with held:
        yield


@contextmanager
def installation() -> Iterator[Services]:
    """The open installation; a refusal inside the block ends the program with its one line and code
    1.
    """
    try:
        with opened_services() as services:
            yield services
    except LiuyingError as error:
        refuse(error.message)
    except (OverflowError, sa.exc.DataError):  # of SQLite's driver, and of PostgreSQL
        refuse("数字过大")
