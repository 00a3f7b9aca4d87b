"""What a machine's check found, beside what it remembers from the time before: who signed the
release, which of two releases is newer, which third-party packages there were, and the settings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import distributions

import msgspec

from liuying.installation.integrity.examination import (
    RECORD,
    Release,
    release_of,
)
from liuying.installation.integrity.manifest import MANIFEST_NAME, ManifestError
from liuying.installation.integrity.touched import PACKAGE, Kind, Touched
from liuying.installation.settings import Settings
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow, Database
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.workflows.queries.integrity import integrity_row, this_machine, write_integrity

# Hexadecimal digits of a setting's hash: enough to see that it changed.
SETTING_DIGITS = 16


class Report(msgspec.Struct, frozen=True):
    """The result of a check.

    Attributes:
        findings: All there are.
        fresh: Those that the check before did not have.
        changed_settings: Names of the settings that changed since then.
    """

    findings: list[Touched]
    fresh: list[Touched]
    changed_settings: list[str]


def write_report(
    database: Database,
    hashes: KeyedHashes,
    settings: Settings,
    found: Sequence[Touched],
    now: Milliseconds,
) -> Report:
    """Compare a check's result with what is remembered, and remember it.

    Args:
        found: What `examine` and the watch found.
    """
    release, records = _release(), _records_digest()
    stated = _hashed(hashes, settings)
    machine = this_machine()
    with database.write() as connection:
        before = integrity_row(connection, machine)
        findings = sorted({*found, *_against_memory(before, release, records)})
        known = [] if before is None else findings_of(before)
        names = [] if before is None else _changed(before.settings, stated)
        values = {
            "findings": msgspec.to_builtins(findings),
            # What cannot be trusted is not remembered: the next check finds it again.
            **_remembered(before, release, is_trusted=not findings),
            "records": records if before is None or not findings else before.records,
            "settings": stated,
            "changed_settings": names or ([] if before is None else before.changed_settings),
            "settings_changed_at": now
            if names
            else (None if before is None else before.settings_changed_at),
        }
        write_integrity(connection, machine, now, values)
    fresh = [one for one in findings if one not in known]
    return Report(findings, fresh, names)


def _release() -> Release | None:
    try:
        return release_of()
    except ManifestError:
        return None  # `examine` says so.


def findings_of(row: AnyRow) -> list[Touched]:
    """What a machine found, from its row."""
    return msgspec.convert(row.findings, list[Touched])


def _against_memory(before: AnyRow | None, release: Release | None, records: str) -> list[Touched]:
    """What contradicts the check before."""
    if before is None:
        return []
    path = str(PACKAGE / MANIFEST_NAME)
    if release is None:
        lost = Touched(path, Kind.MANIFEST, "以前有签名的清单，现在没有了")
        return [lost] if before.release_key else []
    found = []
    if before.release_key and release.key != before.release_key:
        found.append(Touched(path, Kind.MANIFEST, "签名的人换了"))
    manifest = release.manifest
    if manifest.released_at < before.released_at:
        text = f"{manifest.version} 比记录里的 {before.version} 旧"
        found.append(Touched(path, Kind.MANIFEST, text))
    is_same = (manifest.version, manifest.released_at) == (before.version, before.released_at)
    if is_same and before.records and records != before.records:
        folder = str(PACKAGE.parent)
        found.append(Touched(folder, Kind.CHANGED, "第三方软件包的清单变了，版本没有变"))
    return found


def _remembered(
    before: AnyRow | None, release: Release | None, *, is_trusted: bool
) -> dict[str, object]:
    if release is not None and (before is None or is_trusted):
        manifest = release.manifest
        return {
            "release_key": release.key,
            "version": manifest.version,
            "released_at": manifest.released_at,
        }
    if before is None:
        return {"release_key": "", "version": "", "released_at": 0}
    names = ("release_key", "version", "released_at")
    return {name: getattr(before, name) for name in names}


def _records_digest() -> str:
    """One hash over the lists of all third-party packages."""
    whole = hashlib.sha256()
    texts = {one.name: one.read_text(RECORD) or "" for one in distributions()}
    for name, text in sorted(texts.items()):
        whole.update(f"{name}\0{text}\0".encode())
    return whole.hexdigest()


def _hashed(hashes: KeyedHashes, settings: Settings) -> dict[str, str]:
    """A keyed hash of each setting: some of them are secrets."""
    return {
        name: hashes.digest("setting", name, getattr(settings, name)).hex()[:SETTING_DIGITS]
        for name in Settings.__struct_fields__
    }


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """A setting that this version introduces has not changed."""
    return [name for name in after if name in before and before[name] != after[name]]
