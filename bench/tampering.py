"""How soon a touched installation is told: thirteen ways to touch one, each on a running site.

    .venv/bin/python bench/tampering.py

Builds a wheel that is signed with a key of its own, installs it with everything it needs into an
empty environment, and serves. Each case changes files as an intruder would; the time is from the
change to the line in the site's log. Then what was changed is put back, and the next case waits
until nothing is found.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from server import free_port

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 60.0
# The first look comes 10 s after the start, and takes some seconds.
SETTLED_S = 45.0
PATIENCE_S = 180.0
Tamper = Callable[[Path], Path]


def append(path: Path, text: str) -> Path:
    """Write behind a file's end."""
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
    return path


def appended(pattern: str, text: str = "\nevil()\n") -> Tamper:
    """A file below the packages, with something written behind it."""
    return lambda packages: append(next(packages.glob(pattern)), text)


def added(name: str) -> Tamper:
    """A file that was not there."""

    def tamper(packages: Path) -> Path:
        (packages / name).write_text("evil()\n", encoding="utf-8")
        return packages / name

    return tamper


def linked(packages: Path) -> Path:
    """A script that is a link to the same bytes elsewhere."""
    script = next(packages.glob("liuying/web/assets/index-*.js"))
    elsewhere = packages.parent / script.name
    shutil.copy(script, elsewhere)
    script.unlink()
    script.symlink_to(elsewhere)
    return script


def time_kept(packages: Path) -> Path:
    """Another content of the same length, with the time of the first."""
    script = next(packages.glob("liuying/web/assets/index-*.js"))
    before = script.stat()
    script.write_bytes(b"x" * before.st_size)
    os.utime(script, ns=(before.st_atime_ns, before.st_mtime_ns))
    return script


CASES: dict[str, Tamper] = {
    "script appended": appended("liuying/web/assets/index-*.js"),
    "template": appended("liuying/installation/templates/nginx-site.conf", "# evil\n"),
    "Python file": appended("liuying/http/application.py", "\n# evil\n"),
    "new file": added("liuying/web/assets/evil.js"),
    "new file that Python runs at each start": added("evil.pth"),
    "link": linked,
    "time and size kept": time_kept,
    "service worker": appended("liuying/web/service-worker.js"),
    "font or icon": appended("liuying/web/icons/icon-512.png", "x"),
    "migration": appended("liuying/migrations/versions/0001_*.py", "\n# evil\n"),
    "transcoder": appended("imageio_ffmpeg/binaries/ffmpeg-*", "x"),
    "third-party package": appended("litestar/app.py", "\n# evil\n"),
}


def run(*command: str | Path, **environment: str) -> str:
    """Run a command that must succeed; its output."""
    done = subprocess.run(
        [str(one) for one in command],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return done.stdout.strip()


def installed(folder: Path) -> Path:
    """A signed release in an environment of its own; gives the environment."""
    key = folder / "key.pem"
    run(sys.executable, "tools/manifest", "--new-key", key)
    run(sys.executable, "tools/wheel", RELEASE_KEY=str(key))
    (wheel,) = (ROOT / "dist").glob("liuying-*.whl")
    environment = folder / "venv"
    venv.create(environment, with_pip=True)
    pip = environment / "bin" / "pip"
    run(pip, "install", "-q", "--require-hashes", "-r", ROOT / "backend/requirements/runtime.txt")
    run(pip, "install", "-q", "--no-deps", wheel)
    return environment


@contextmanager
def served(environment: Path, folder: Path) -> Iterator[Path]:
    """The site under way; gives its log."""
    log = folder / "log"
    variables = {
        **os.environ,
        "LIUYING_DATA_DIR": str(folder / "data"),
        "PORT": str(free_port()),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with log.open("wb") as file:
        command = [str(environment / "bin" / "liuying"), "serve"]
        process = subprocess.Popen(command, env=variables, stdout=file, stderr=file)
        try:
            yield log
        finally:
            process.terminate()
            process.wait()


def told(log: Path, offset: int, name: str) -> bool:
    """Whether the log says, from an offset on, that a file was touched."""
    text = log.read_bytes()[offset:].decode(errors="replace")
    return any("was touched" in line and name in line for line in text.splitlines())


def findings(environment: Path) -> int:
    """How many `liuying verify` has now."""
    command = [str(environment / "bin" / "liuying"), "verify", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return len(json.loads(done.stdout))


def until(is_so: Callable[[], bool]) -> float | None:
    """Seconds until something is so; None if it never was."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > PATIENCE_S:
            return None
        time.sleep(0.2)
    return time.monotonic() - began


def put_back(packages: Path, kept: Path, path: Path) -> None:
    """Make a file what it was."""
    before = kept / path.relative_to(packages)
    path.unlink()
    if before.exists():
        shutil.copy2(before, path)


def main() -> None:
    """Install, serve, touch, print."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        environment = installed(folder)
        (packages,) = environment.glob("lib/python*/site-packages")
        kept = folder / "kept"
        shutil.copytree(packages, kept, symlinks=True)

        def older_manifest(packages: Path) -> Path:
            """The list of an older release, signed with the same key."""
            package = packages / "liuying"
            command = (sys.executable, "tools/manifest", "--key", folder / "key.pem", package)
            run(*command, "0.0.1", "1000000000")
            return package / "release.json"

        cases = {**CASES, "older signed manifest": older_manifest}
        with served(environment, folder) as log:
            is_open = until(lambda: "http://" in log.read_text(errors="replace"))
            if is_open is None:
                raise SystemExit(log.read_text(errors="replace"))
            # The watch has noted every file.
            time.sleep(SETTLED_S)
            print("| touched | told after s | within 60 s |\n|---|---|---|")
            for name, tamper in cases.items():
                offset = log.stat().st_size
                path = tamper(packages)
                taken = until(lambda: told(log, offset, path.name))  # noqa: B023  # at once
                shown = "never" if taken is None else f"{taken:.0f}"
                is_held = taken is not None and taken <= LIMIT_S
                print(f"| {name} | {shown} | {'yes' if is_held else '**no**'} |", flush=True)
                put_back(packages, kept, path)
            quiet = log.stat().st_size
            time.sleep(PATIENCE_S)
            later = log.read_bytes()[quiet:].decode(errors="replace")
            false = sum("was touched" in line for line in later.splitlines())
        print(f"\nFindings after everything was put back: {findings(environment)}.")
        print(f"Told in the {PATIENCE_S:.0f} s after that: {false}.")


if __name__ == "__main__":
    main()
