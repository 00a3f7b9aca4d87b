"""A whole site moved to another database and back by `liuying move`: rows and word index, as a
command, its start included; then what `liuying doctor` finds there.

Fills an installation of its own (`liuying bench seed`), whose videos have no files: those move at
the speed of the store. PostgreSQL is the measurement's own, with its ordinary settings.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
from server import LIUYING, postgres

from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan


class Moved(msgspec.Struct):
    """What `liuying move --json` says of it."""

    rows: int


class Finding(msgspec.Struct, frozen=True):
    """What of `liuying doctor --json` is compared."""

    severity: str
    topic: str


def run(environment: Mapping[str, str], *arguments: str, codes: tuple[int, ...] = (0,)) -> bytes:
    """A command on an installation; its output.

    Raises:
        RuntimeError: It ended otherwise than expected.
    """
    done = subprocess.run(
        [LIUYING, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    if done.returncode not in codes:
        raise RuntimeError(f"liuying {arguments[0]}: {done.stderr.decode() or done.returncode}")
    return done.stdout


def move(source: Mapping[str, str], into: Mapping[str, str], note: Path) -> str:
    """Move; the row of the table but its name."""
    note.write_text("".join(f"{name}={value}\n" for name, value in into.items()))
    began = time.monotonic()
    said = run(source, "move", "--to", str(note), "--yes", "--json")
    took = time.monotonic() - began
    return f"{msgspec.json.decode(said, type=Moved).rows:,} | {took:.1f}"


def complaints(of: Mapping[str, str]) -> set[Finding]:
    """What the doctor wants something done about."""
    said = run(of, "doctor", "--json", codes=(0, 1, 2))
    return {one for one in msgspec.json.decode(said, type=list[Finding]) if one.severity != "info"}


def main() -> None:
    """Fill, move there and back, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=50_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, postgres() as url:
        folder = Path(name)
        first, there, back = (
            {"LIUYING_DATA_DIR": str(folder / one), "LIUYING_DATABASE_URL": address}
            for one, address in (("first", ""), ("there", url), ("back", ""))
        )
        services = open_services(Settings(data_dir=folder / "first"))
        migrate(services.database)
        seed(services.database, Plan(chosen.videos, 1, system_clock()))
        services.database.close()
        known = complaints(first)
        rows = []
        for way, source, into in (
            ("SQLite to PostgreSQL", first, there),
            ("PostgreSQL to SQLite", there, back),
        ):
            moved = move(source, into, folder / "settings.env")
            new = complaints(into) - known
            found = ", ".join(sorted(f"{one.topic} ({one.severity})" for one in new))
            rows.append(f"| {way} | {moved} | {found or 'nothing'} |")
    print("| move | rows | seconds | what the doctor finds that it did not find before |")
    print("|---|---|---|---|", *rows, sep="\n")
    print(f"\n{chosen.videos:,} videos without files; the word index is built anew.")


if __name__ == "__main__":
    main()
