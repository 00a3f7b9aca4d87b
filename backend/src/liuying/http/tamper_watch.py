"""Beside the server: noticing that the program was touched, and telling the operator.

Every half minute the inode, the size and the moment of change of every file are compared with those
at the start. Where one differs, and every hour in any case, all are compared by hash, in a process
of its own with the lowest priority.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from liuying.features.site.service import read_identity
from liuying.http.own_document import ForeignScript
from liuying.http.recurring import repeat
from liuying.installation.integrity.examination import (
    examine_own,
    release_of,
)
from liuying.installation.integrity.manifest import ManifestError
from liuying.installation.integrity.report import Report, write_report
from liuying.installation.integrity.touched import PACKAGE, PACKAGES, Kind, Touched
from liuying.installation.integrity.watch import Mark, differences, marks_below
from liuying.installation.services import Services
from liuying.kit.clock import HOUR_MS, Milliseconds, to_iso
from liuying.kit.webhook import WebhookError

INTERVAL_S = 30.0
FULL_INTERVAL_MS: Milliseconds = HOUR_MS
# The start has more urgent work.
DELAY_S = 10.0
TIMEOUT_S = 600.0
LOWEST_PRIORITY = 19
EVENT = "program.touched"
MOST_NAMED = 10
LOG = logging.getLogger(__name__)


class ApartExamination:
    """`liuying verify --json`, in a process that gives way to all others."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_over = False

    def __call__(self) -> list[Touched] | None:
        """What was touched; None where it was ended before it knew.

        Raises:
            OSError, subprocess.SubprocessError, ValueError: It did not answer.
        """
        command = [sys.executable, "-m", "liuying", "verify", "--json"]
        with self._lock:
            if self._is_over:
                return None
            ran = self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        with ran:
            os.setpriority(os.PRIO_PROCESS, ran.pid, LOWEST_PRIORITY)
            try:
                answer, _ = ran.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                ran.kill()
                raise
        return None if self._is_over else msgspec.json.decode(answer, type=list[Touched])

    def end(self) -> None:
        """End it for good: on a busy machine it takes minutes, for which no server may be kept."""
        with self._lock:
            self._is_over = True
            if self._process is not None:
                self._process.kill()


class TamperWatch:
    """Looks until cancelled. Each machine remembers what it found in the database.

    Args:
        services: The installation.
        examine: Compares all files by hash; None for a process of its own.
        folders: What is watched; None for the program, the built web application and the packages.
    """

    def __init__(
        self,
        services: Services,
        examine: Callable[[], list[Touched] | None] | None = None,
        folders: list[Path] | None = None,
    ) -> None:
        self._services = services
        self._apart = ApartExamination()
        self._examine = self._apart if examine is None else examine
        self._folders = _watched(services) if folders is None else folders
        self._marks: dict[str, Mark] | None = None
        self._checked_at: Milliseconds = 0
        self._since_start: set[Touched] = set()
        self._in_document: set[Touched] = set()
        self._is_doubted = False

    async def run(self) -> None:
        """Look, then rest."""
        complaint = "the program could not be examined"
        await repeat(self.look, INTERVAL_S, complaint, delay=DELAY_S, interrupt=self._apart.end)

    def look(self) -> None:
        """Look once."""
        now = self._services.clock()
        marks = marks_below(self._folders)
        touched = [] if self._marks is None else differences(self._marks, marks)
        is_due = self._marks is None or now - self._checked_at >= FULL_INTERVAL_MS
        if not touched and not is_due and not self._is_doubted:
            return
        self._is_doubted = False
        if (changed := self._examine()) is None:
            return
        findings = [*changed, *examine_own(touched)]
        if not _has_release():
            # Nothing else knows what our own files were.
            self._since_start |= {_since_start(path) for path in touched if _is_ours(path)}
        found = [*findings, *self._since_start, *self._in_document]
        services = self._services
        report = write_report(services.database, services.hashes, services.settings, found, now)
        # Only now: what could not be examined or told is looked at again.
        self._tell(report, now)
        self._marks, self._checked_at = marks, now

    def note_scripts(self, address: str, scripts: list[ForeignScript]) -> None:
        """Take what was found in the site's own document; the next look tells it.

        Args:
            address: Where it was read.
            scripts: Those that are not ours; none if all are.
        """
        found = {Touched(address, Kind.SCRIPT, one.what) for one in scripts}
        if found != self._in_document:
            self._in_document, self._is_doubted = found, True

    def _tell(self, report: Report, now: Milliseconds) -> None:
        for one in report.fresh:
            LOG.error("the program was touched: %s (%s)", one.path, one.kind)
        if report.changed_settings:
            LOG.warning("settings changed: %s", ", ".join(report.changed_settings))
        webhook = self._services.settings.webhook
        if webhook is None or not report.fresh:
            return
        with self._services.database.read() as connection:
            site = read_identity(connection).name
        try:
            webhook.send(message_of(site, report.fresh, now), now)
        except WebhookError as error:
            LOG.warning("the webhook was not told that the program was touched: %s", error)


def message_of(site: str, findings: list[Touched], now: Milliseconds) -> dict[str, Any]:
    """The body: `event`, `time`, a sentence for people that names the site, and the files."""
    named = "；".join(one.sentence for one in findings[:MOST_NAMED])
    more = f"；等 {len(findings)} 处" if len(findings) > MOST_NAMED else ""
    return {
        "event": EVENT,
        "time": to_iso(now),
        "text": f"{site}：程序文件被改动：{named}{more}",
        "files": msgspec.to_builtins(findings),
    }


def _watched(services: Services) -> list[Path]:
    settings = services.settings
    named = {PACKAGE, settings.web_dir, settings.console_dir, *PACKAGES}
    return [one for one in sorted(named) if not any(other in one.parents for other in named)]


def _has_release() -> bool:
    try:
        return release_of() is not None
    except ManifestError:
        return True  # And it is told that it cannot be trusted.


def _is_ours(path: str) -> bool:
    return PACKAGES.isdisjoint(Path(path).parents)


def _since_start(path: str) -> Touched:
    kind = Kind.LINK if Path(path).is_symlink() else Kind.CHANGED
    text = "在网站启动之后；如果是你更新的，请重启网站"
    return Touched(path, kind if Path(path).exists() else Kind.MISSING, text)
