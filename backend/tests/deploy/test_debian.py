"""The Debian package's parts, as far as they are looked at without building it.

`make packages-test` builds and installs it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

import pytest

from liuying.cli.command_table import COMMANDS
from liuying.installation.environment import read_settings
from liuying.installation.setting_file import variable
from liuying.installation.setting_texts import GROUPS
from liuying.installation.settings import REPOSITORY
from liuying.kit.setting_lines import parse
from liuying.media.ffmpeg import ffmpeg_binary
from tests.command_line import Run, run

__all__ = ["run"]

MOST_EXPOSED = 2.0


@pytest.fixture(scope="module")
def packages() -> ModuleType:
    """`tools/packages`."""
    path = str(REPOSITORY / "tools" / "packages")
    loader = SourceFileLoader("packages", path)
    module = module_from_spec(ModuleSpec("packages", loader, origin=path))
    module.__file__ = path
    loader.exec_module(module)
    return module


def services(packages: ModuleType) -> dict[str, str]:
    return {name: packages.unit(name) for name in packages.UNIT_FILES if name.endswith("service")}


def exposure(unit: Path) -> float:
    """What `systemd-analyze security` says of it."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    said = subprocess.run(
        [analyze, "security", "--offline=yes", str(unit)],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"exposure level for \S+: (\d+\.\d+)", said.stdout)
    assert found is not None, said.stdout
    return float(found[1])


def test_the_units_are_hardly_exposed(packages: ModuleType, tmp_path: Path) -> None:
    found = {}
    for name, text in services(packages).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        found[name] = exposure(tmp_path / name)
    assert len(found) == 4
    assert max(found.values()) <= MOST_EXPOSED, found


def test_the_unit_that_deploy_writes_is_neither(run: Run, tmp_path: Path) -> None:
    unit = tmp_path / "liuying.service"
    done = run(tmp_path, "deploy", "systemd", "--program", "/opt/l/liuying", "--output", unit)
    assert done.exit_code == 0, done.output
    assert exposure(unit) <= MOST_EXPOSED


def test_a_unit_without_hardening_would_fail(tmp_path: Path) -> None:
    unit = tmp_path / "bare.service"
    unit.write_text("[Service]\nExecStart=/bin/true\n", encoding="utf-8")
    assert exposure(unit) > MOST_EXPOSED


def test_systemd_takes_the_units(packages: ModuleType, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    paths = []
    for name in packages.UNIT_FILES:
        text = packages.unit(name).replace("/usr/lib/liuying/bin/liuying", str(program))
        path = tmp_path / name.replace("@.", "@1.")
        path.write_text(text.replace("Documentation=man:liuying(1)\n", ""), encoding="utf-8")
        paths.append(str(path))
    done = subprocess.run([analyze, "verify", *paths], capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "liuying" in line]
    assert (done.returncode, said) == (0, [])


def test_units_write_the_data_alone(packages: ModuleType) -> None:
    for name, text in services(packages).items():
        writable = re.findall(r"^ReadWritePaths=(.*)$", text, re.MULTILINE)
        backups = " /var/backups/liuying" if name in packages.WRITERS_OF_BACKUPS else ""
        assert writable == [f"/var/lib/liuying{backups}"]
        assert "ProtectSystem=strict" in text
        assert "User=liuying" in text


def test_the_settings_name_every_setting_and_are_read(packages: ModuleType) -> None:
    text = packages.settings_file()
    for fields in GROUPS.values():
        for field in fields:
            assert len(re.findall(rf"^#?{variable(field)}=", text, re.MULTILINE)) == 1, field
    values = parse(text)
    assert values.pop("SERVE_OPTIONS") == "--demo"
    settings = read_settings(values)
    assert (str(settings.data_dir), settings.host, settings.production) == (
        "/var/lib/liuying",
        "127.0.0.1",
        True,
    )


def test_every_setting_can_be_switched_on(packages: ModuleType) -> None:
    """The defaults that the file shows are values that it takes."""
    shown = re.sub(r"^#([A-Z_0-9]+=.+)$", r"\1", packages.settings_file(), flags=re.MULTILINE)
    values = parse(shown)
    del values["SERVE_OPTIONS"]
    read_settings(values)


def test_the_scripts_are_shell(packages: ModuleType) -> None:
    for name in (*packages.SCRIPTS, "liuying.sh"):
        subprocess.run(["/bin/sh", "-n", str(packages.DEBIAN / name)], check=True)


def test_what_the_transcoder_was_built_from_is_read_and_not_asked(packages: ModuleType) -> None:
    """Another architecture's program cannot be asked."""
    program = Path(ffmpeg_binary())
    said = subprocess.run([program, "-version"], capture_output=True, text=True, check=True)
    found = packages.BUILD.search(program.read_bytes())
    assert found is not None
    assert said.stdout.startswith(f"ffmpeg version {found[0].decode()} ")


def test_the_page_of_the_manual_names_every_command(packages: ModuleType) -> None:
    page = packages.manual()
    for name, entry in COMMANDS.items():
        assert (f".B {name}\n" in page) == (entry.help is not None)


def test_nothing_that_is_built_names_this_machine(packages: ModuleType) -> None:
    texts = [packages.settings_file(), packages.manual(), *services(packages).values()]
    for text in texts:
        assert str(REPOSITORY) not in text
        assert sys.prefix not in text


def test_timer_and_console_keep_one_schedule(packages: ModuleType) -> None:
    """Neither names a file or a time: both ask the database."""
    unit = services(packages)["liuying-maintenance.service"]
    assert "ExecStart=/usr/lib/liuying/bin/liuying maintenance run\n" in unit
    assert packages.SETTINGS["LIUYING_BACKUP_DIR"] == packages.BACKUPS
    assert "maintenance schedule --if-unset" in (packages.DEBIAN / "postinst").read_text()
