"""Which piece of a film shows a moment."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.media.errors import MediaError
from liuying.media.frame import decode_frame, segment_at
from liuying.media.packaged import MediaPlaylist, read_playlist
from liuying.media.playlists import media_playlist
from liuying.media.segments import Segment

DURATIONS = st.lists(st.floats(0.5, 12).map(lambda one: round(one, 5)), min_size=1, max_size=40)


def playlist_of(durations: list[float]) -> MediaPlaylist:
    return read_playlist(media_playlist("a.mp4", 9, [Segment(one, 1000) for one in durations]))


@given(durations=DURATIONS, share=st.floats(0, 0.999))
def test_a_moment_lies_in_its_segment(durations: list[float], share: float) -> None:
    moment = share * sum(durations)
    segment, offset = segment_at(playlist_of(durations), moment)
    number = (segment.offset - 9) // 1000
    assert sum(durations[:number]) + offset == pytest.approx(moment, abs=1e-6)
    assert 0 <= offset <= durations[number] + 1e-6


@given(durations=DURATIONS)
def test_beyond_the_end_it_is_the_last_one(durations: list[float]) -> None:
    playlist = playlist_of(durations)
    segment, offset = segment_at(playlist, sum(durations) + 100)
    assert segment == playlist.segments[-1]
    assert offset >= 100


@pytest.mark.parametrize("piece", [b"", b"not a film", bytes(4096)])
def test_what_is_no_film_has_no_picture(piece: bytes) -> None:
    with pytest.raises(MediaError):
        decode_frame(piece, 0)
