"""Playlists read back: what was written, and what is none of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.installation.services import Services
from liuying.media.packaged import (
    Part,
    PlaylistError,
    join,
    read_playlist,
    stored,
    stored_playlist,
)
from liuying.media.playlists import media_playlist
from liuying.media.segments import Segment

SEGMENTS = st.lists(
    st.builds(
        Segment,
        st.floats(0.04, 12).map(lambda one: round(one, 5)),
        st.integers(1, 10**9),
    ),
    min_size=1,
    max_size=40,
)
OF_FILES = """#EXTM3U
#EXT-X-MAP:URI="init.mp4"
#EXTINF:1.00000,
s00001.m4s
#EXTINF:2.00000,
s00002.m4s
#EXT-X-ENDLIST
"""
FOLDER = "media/public/packaged01/360/"


@given(segments=SEGMENTS, init=st.integers(1, 10**6))
def test_what_is_written_is_read(segments: list[Segment], init: int) -> None:
    found = read_playlist(media_playlist("abc123.mp4", init, segments))
    assert found.durations == tuple(one.duration for one in segments)
    assert found.init == Part("abc123.mp4", 0, init)
    assert [one.size for one in found.segments] == [one.size for one in segments]
    total = init + sum(one.size for one in segments)
    assert found.parts == [Part("abc123.mp4", 0, total)]


def test_segments_in_files_of_their_own_are_read() -> None:
    found = read_playlist(OF_FILES)
    assert found.parts == [Part("init.mp4"), Part("s00001.m4s"), Part("s00002.m4s")]
    assert not found.is_one_file
    assert found.durations == (1.0, 2.0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#EXTM3U\n#EXT-X-ENDLIST\n",
        OF_FILES.replace("#EXT-X-MAP", "#EXT-X-NAP"),
        OF_FILES.replace("#EXTINF:2.00000,\n", ""),
        OF_FILES.replace("s00001", "#EXT-X-BYTERANGE:12\ns00001"),
        OF_FILES.replace("s00001", "#EXT-X-BYTERANGE:12@x\ns00001"),
        OF_FILES.replace("s00002", "#EXT-X-BYTERANGE:12\ns00002"),
        OF_FILES.replace('"init.mp4"', '"init.mp4",BYTERANGE="@"'),
    ],
)
def test_what_is_none_of_ours_is_refused(text: str) -> None:
    with pytest.raises(PlaylistError):
        read_playlist(text)


def put(services: Services, playlist: str, **files: bytes) -> None:
    services.objects.put_if_absent(f"{FOLDER}index.m3u8", playlist.encode())
    for name, content in files.items():
        services.objects.put_if_absent(f"{FOLDER}{name}.mp4", content)


def test_a_stored_rendition_is_joined(services: Services, tmp_path: Path) -> None:
    put(services, media_playlist("abc123", 2, [Segment(1, 3), Segment(1, 1)]))
    content = b"iiaaab"
    services.objects.put_if_absent(f"{FOLDER}abc123", content)
    join(stored(services.objects, FOLDER), tmp_path / "whole.mp4")
    assert (tmp_path / "whole.mp4").read_bytes() == content


def test_a_file_that_ends_too_early_is_missing(services: Services, tmp_path: Path) -> None:
    put(services, media_playlist("abc123.mp4", 2, [Segment(1, 3)]), abc123=b"iiaa")
    read = stored(services.objects, FOLDER)
    assert b"".join(read(stored_playlist(read).init)) == b"ii"
    with pytest.raises(FileNotFoundError):
        join(read, tmp_path / "whole.mp4")


def test_a_playlist_that_is_no_text_is_refused(services: Services) -> None:
    services.objects.put_if_absent(f"{FOLDER}index.m3u8", b"#EXTM3U\n\xff")
    with pytest.raises(PlaylistError):
        stored_playlist(stored(services.objects, FOLDER))
