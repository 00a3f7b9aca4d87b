"""The gateway: progress, limits, failures in plain words, and nothing that outlives its call."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from liuying.media import ffmpeg
from liuying.media.errors import DamagedError, DiskFullError, JobTimeoutError, TranscoderError
from liuying.media.ffmpeg import Job, input_arguments, run
from liuying.media.sandbox import ResourceLimits, caged
from tests.media.clips import picture

OUTPUT = ["-c:v", "libx264", "-preset", "ultrafast", "-f", "mpegts"]
LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="the cage is built from util-linux")


def job(
    folder: Path, arguments: list[str], *, timeout: float = 30, output_bytes: int = 50_000_000
) -> Job:
    return Job(
        arguments=arguments, folder=folder, duration=2, timeout=timeout, output_bytes=output_bytes
    )


def await_end(pid: int) -> bool:
    """Whether a process that is no child of ours ends within 10 s; one that is gone already did."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 10)[0])
    finally:
        os.close(descriptor)


def test_progress_rises_to_the_end(tmp_path: Path) -> None:
    shares: list[float] = []
    result = run(job(tmp_path, [*picture(seconds=2), *OUTPUT, "file:out.ts"]), shares.append)
    assert result.frames == 50
    assert shares == sorted(shares)
    assert 0.9 <= shares[-1] <= 1.0
    assert (tmp_path / "out.ts").stat().st_size > 1000


def test_progress_never_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "transcoder"
    moments = "0 1500000 900000 N/A 2000000"
    program.write_text(f"#!/bin/sh\nfor at in {moments}; do echo out_time_us=$at; done\n")
    program.chmod(0o755)
    monkeypatch.setattr(ffmpeg, "ffmpeg_binary", lambda: str(program))
    shares: list[float] = []
    run(job(tmp_path, []), shares.append)
    assert shares == [0.0, 0.75, 0.75, 1.0]


def test_a_failure_ends_with_the_last_line(tmp_path: Path) -> None:
    with pytest.raises(TranscoderError, match="No such file"):
        run(job(tmp_path, [*input_arguments(tmp_path / "missing.mp4"), *OUTPUT, "file:out.ts"]))


def test_damage_is_told_from_other_failures(plain_clip: Path, tmp_path: Path) -> None:
    content = bytearray(plain_clip.read_bytes())
    begin = content.index(b"mdat") + 4
    content[begin + 20_000 : begin + 200_000] = bytes(180_000)
    damaged = tmp_path / "damaged.mp4"
    damaged.write_bytes(content)
    with pytest.raises(DamagedError):
        run(job(tmp_path, [*input_arguments(damaged), "-an", *OUTPUT, "file:out.ts"]))


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="this system has no device that is always full"
)
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiskFullError):
        run(job(tmp_path, [*picture(seconds=2), *OUTPUT, "file:/dev/full"]))


@LINUX_ONLY
def test_an_output_beyond_its_limit_ends_the_job(tmp_path: Path) -> None:
    with pytest.raises(TranscoderError, match="大小上限"):
        run(job(tmp_path, [*picture(seconds=2), *OUTPUT, "file:out.ts"], output_bytes=20_000))
    assert (tmp_path / "out.ts").stat().st_size <= 20_000


def test_a_job_that_takes_too_long_ends_with_its_whole_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text(
        "#!/bin/sh\necho $$ > own.pid\nsleep 600 &\necho $! > child.pid\necho ready >&2\nwait\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(ffmpeg, "ffmpeg_binary", lambda: str(program))
    with pytest.raises(JobTimeoutError):
        run(job(tmp_path, [], timeout=1))
    assert all(await_end(int((tmp_path / name).read_text())) for name in ("own.pid", "child.pid"))


def test_complaints_without_end_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text(
        "#!/bin/sh\nhead -c 3000000 /dev/zero >&2\nseq 1 20000 >&2\necho last >&2\nexit 3\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(ffmpeg, "ffmpeg_binary", lambda: str(program))
    with pytest.raises(TranscoderError, match=r"转码失败，.*转码程序：last"):
        run(job(tmp_path, []))


@LINUX_ONLY
def test_the_job_dies_with_its_parent(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho $$ > own.pid\nexec sleep 600\n")
    program.chmod(0o755)
    script = (
        "import sys\nfrom pathlib import Path\nfrom liuying.media.ffmpeg import Job, run\n"
        "print('go', flush=True)\n"
        "run(Job(arguments=[], folder=Path(sys.argv[1]), duration=1, timeout=100, "
        "output_bytes=10**6))\n"
    )
    environment = {**os.environ, "LIUYING_FFMPEG": str(program)}
    os.mkfifo(tmp_path / "own.pid")
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], env=environment, stdout=subprocess.PIPE
    )
    pid = int((tmp_path / "own.pid").read_text())
    parent.kill()
    parent.communicate(timeout=30)
    assert await_end(pid)


@LINUX_ONLY
@pytest.mark.parametrize("is_orphan", [False, True])
def test_the_job_does_not_begin_without_its_parent(tmp_path: Path, *, is_orphan: bool) -> None:
    """Its parent is killed after the fork, and before the child asks to die with it."""
    script = (
        "import os, sys\nfrom liuying.media.sandbox import ResourceLimits, caged\n"
        "limits = ResourceLimits(cpu_seconds=10, file_bytes=10**6, memory_bytes=1 << 31)\n"
        "command, parent = caged(['/bin/sh', '-c', 'echo > begun'], limits), os.getpid()\n"
        "if child := os.fork():\n"
        "    os._exit(0) if sys.argv[1:] else os.waitpid(child, 0)\n"
        "else:\n"
        "    while sys.argv[1:] and os.getppid() == parent: pass\n"
        "    os.execv(command[0], command)\n"
    )
    # Its output ends with the last of the processes.
    command = [sys.executable, "-c", script, *(["orphan"] if is_orphan else [])]
    subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, check=True, timeout=30)
    assert (tmp_path / "begun").exists() != is_orphan


@LINUX_ONLY
def test_the_cage_has_no_network_and_holds_its_limits() -> None:
    limits = ResourceLimits(cpu_seconds=77, file_bytes=123_456, memory_bytes=1 << 31)
    show = "cat /proc/net/dev; cat /proc/self/limits"
    shown = subprocess.run(
        caged(["/bin/sh", "-c", show], limits),
        capture_output=True,
        check=True,
        text=True,
        timeout=30,
    )
    interfaces = {line.split(":")[0].strip() for line in shown.stdout.splitlines() if ":" in line}
    assert not any(name.startswith(("eth", "en", "wl")) for name in interfaces)
    assert "77" in next(line for line in shown.stdout.splitlines() if "cpu time" in line)
    assert "123456" in next(line for line in shown.stdout.splitlines() if "file size" in line)


def test_sources_are_always_absolute_file_addresses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = input_arguments(Path("-y"))
    assert arguments[-2:] == ["-i", f"file:{tmp_path}/-y"]
    assert arguments[arguments.index("-protocol_whitelist") + 1] == "file"
    assert "hls" not in arguments[arguments.index("-format_whitelist") + 1]


def test_the_program_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIUYING_FFMPEG", "/opt/ffmpeg")
    ffmpeg.ffmpeg_binary.cache_clear()
    try:
        assert ffmpeg.ffmpeg_binary() == "/opt/ffmpeg"
    finally:
        ffmpeg.ffmpeg_binary.cache_clear()
