"""Playlists and manifests that name other files: nothing of them is ever opened
(docs/security.md#t15).
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from liuying.media.errors import MediaError
from liuying.media.ffmpeg import Job, ffmpeg_binary, input_arguments, run
from liuying.media.probe import probe
from tests.media.clips import h264, make_clip, picture

PLAYLISTS = {
    "hls": "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n{target}\n#EXT-X-ENDLIST\n",
    "hls-key": (
        '#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXT-X-KEY:METHOD=AES-128,URI="{target}"\n#EXTINF:3,\n'
        "{target}\n#EXT-X-ENDLIST\n"
    ),
    "dash": (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
        'mediaPresentationDuration="PT3S"><Period><AdaptationSet><Representation id="1" '
        'mimeType="video/mp2t" '
        'bandwidth="1"><BaseURL>{target}</BaseURL></Representation></AdaptationSet></Period></MPD>'
    ),
    "ffconcat": "ffconcat version 1.0\nfile '{target}'\n",
    "concat": "file '{target}'\n",
    "sdp": "v=0\nc=IN IP4 127.0.0.1\nm=video {port} RTP/AVP 33\n",
    "smil": '<smil><body><video src="{target}"/></body></smil>',
}
NAMES = ["list.m3u8", "list.mpd", "list.ffconcat", "list.mp4", "list.mkv", "list.ts"]


class Canary:
    """A video that must not be read and a port that must not be called."""

    def __init__(self, folder: Path) -> None:
        self.file = make_clip(folder / "canary.ts", *picture("64x64", 1), *h264())
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)  # noqa: FBT003  # the socket's own signature
        self.port = self._listener.getsockname()[1]

    def targets(self) -> list[str]:
        return [
            str(self.file),
            f"file://{self.file}",
            f"file:{self.file}",
            f"concat:{self.file}",
            f"subfile,,start,0,end,0,,:{self.file}",
            f"http://127.0.0.1:{self.port}/x.ts",
            f"tcp://127.0.0.1:{self.port}",
        ]

    def was_called(self) -> bool:
        try:
            self._listener.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Canary]:
    opened = Canary(tmp_path)
    yield opened
    opened.close()


def hostile_files(folder: Path, canary: Canary) -> Iterator[Path]:
    for kind, text in PLAYLISTS.items():
        for number, target in enumerate(canary.targets()):
            for name in NAMES:
                path = folder / kind / str(number) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text.format(target=target, port=canary.port))
                yield path


def test_the_probe_refuses_them_all(canary: Canary, tmp_path: Path) -> None:
    for path in hostile_files(tmp_path / "files", canary):
        with pytest.raises(MediaError):
            probe(path)
    assert not canary.was_called()


@pytest.mark.parametrize("kind", sorted(PLAYLISTS))
def test_the_transcoder_refuses_them_even_unprobed(
    canary: Canary, tmp_path: Path, kind: str
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    for number, target in enumerate(canary.targets()):
        path = tmp_path / f"{number}.mp4"
        path.write_text(PLAYLISTS[kind].format(target=target, port=canary.port))
        arguments = [*input_arguments(path), "-c", "copy", "-f", "mpegts", "file:out.ts"]
        job = Job(arguments=arguments, folder=work, duration=1, timeout=20, output_bytes=1_000_000)
        with pytest.raises(MediaError):
            run(job)
        assert not (work / "out.ts").exists() or (work / "out.ts").stat().st_size == 0
    assert not canary.was_called()


def test_the_canary_sings_without_our_flags(canary: Canary, tmp_path: Path) -> None:
    """The attack is real: the bare program follows the playlist. Otherwise the tests above would
    prove nothing.
    """
    path = tmp_path / "list.m3u8"
    path.write_text(PLAYLISTS["hls"].format(target=canary.file.name))
    command = [
        ffmpeg_binary(),
        "-v",
        "error",
        "-nostdin",
        "-y",
        "-i",
        str(path),
        "-c",
        "copy",
        str(tmp_path / "out.ts"),
    ]
    subprocess.run(command, check=True, timeout=30, capture_output=True)
    assert (tmp_path / "out.ts").stat().st_size > 1000


def test_a_movie_that_refers_to_another_file_does_not_open_it(
    canary: Canary, tmp_path: Path
) -> None:
    """QuickTime data references (`dref`) can name external media."""
    source = make_clip(tmp_path / "plain.mov", *picture("64x64", 1), *h264())
    content = source.read_bytes()
    own = content.index(b"url \x00\x00\x00\x01") - 4
    external = str(canary.file).encode() + b"\x00"
    entry = (12 + len(external)).to_bytes(4) + b"url \x00\x00\x00\x00" + external
    assert content[own : own + 4] == (12).to_bytes(4)
    grown = _grow(content, own, len(entry) - 12)
    changed = grown[:own] + entry + grown[own + 12 :]
    path = tmp_path / "external.mov"
    path.write_bytes(changed)
    canary.file.touch()  # under relatime, the next reading shows
    before = canary.file.stat().st_atime_ns
    with contextlib.suppress(MediaError):
        probe(path)
    assert canary.file.stat().st_atime_ns == before
    canary.file.read_bytes()
    if canary.file.stat().st_atime_ns == before:
        pytest.skip("this file system does not note when a file is read")


def _grow(content: bytes, position: int, growth: int) -> bytes:
    """The same file with every box around `position` declared larger; media offsets stay, moov
    stands last.
    """
    changed = bytearray(content)
    begin, end = 0, len(content)
    while begin + 8 <= end:
        size = int.from_bytes(content[begin : begin + 4])
        if begin <= position < begin + size:
            changed[begin : begin + 4] = (size + growth).to_bytes(4)
            kind = content[begin + 4 : begin + 8]
            # A data reference box has a version, flags and a count before its entries.
            begin, end = begin + (16 if kind == b"dref" else 8), begin + size
            if begin >= position:
                break
        else:
            begin += size
    return bytes(changed)
