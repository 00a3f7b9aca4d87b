"""systemd's units, written from the settings (docs/operating.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from liuying.installation.configuration import DeploymentError, filled, plain_path
from liuying.installation.settings import Settings

# Jobs in progress are first returned to the queue.
STOP_S = 30
USER = re.compile(r"[a-z_][a-z0-9_-]{0,31}")


def systemd_unit(
    settings: Settings,
    program: Path,
    command: str,
    user: str,
    environment: Mapping[str, str],
) -> str:
    """A unit that serves, or that works on the import queue.

    Args:
        program: The command `liuying`, by its whole path.
        command: What it is called with: `serve` or `worker`.
        user: Whom it runs as.
        environment: Settings that stand in the unit.

    Raises:
        DeploymentError: A value cannot stand in it.
    """
    if USER.fullmatch(user) is None:
        raise DeploymentError(f"用户名的写法不对：{user}")
    data = plain_path(settings.data_dir)
    # Where that folder is missing, the site starts all the same, and a backup says so.
    backups = f" -{plain_path(settings.backups)}" if settings.backup_dir else ""
    # A home that is hidden would hide data and program in it.
    is_at_home = any(
        str(one).startswith(("/home/", "/root/")) for one in (settings.data_dir, program)
    )
    return filled(
        "liuying.service",
        {
            "USER": user,
            "DATA": data,
            "ENVIRONMENT": "\n".join(
                f'Environment="{name}={_quoted(name, value)}"'
                for name, value in environment.items()
            ),
            "ENVIRONMENT_FILE": "/etc/liuying.env",
            "PROGRAM": plain_path(program),
            "COMMAND": command,
            "STOP_SECONDS": str(STOP_S + settings.drain_seconds),
            "HARDENING": hardening(data + backups, "read-only" if is_at_home else "yes").rstrip(
                "\n"
            ),
        },
    )


def hardening(writable: str, home: str = "yes") -> str:
    """What a unit of ours may do at most.

    Args:
        writable: Folders that it may write, with spaces between them; all others are read-only.
        home: systemd's `ProtectHome`.
    """
    return filled("hardening.conf", {"DATA": writable, "PROTECT_HOME": home})


def _quoted(name: str, value: str) -> str:
    if not value.isprintable():
        raise DeploymentError(f"{name} 里有不能写进配置的字符")
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
