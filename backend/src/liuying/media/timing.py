"""How time runs in a file: read from its packets, because the headers of damaged and hostile
files lie.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from liuying.media.errors import (
    AbsurdTimestampsError,
    NoVideoStreamError,
    TooLongError,
    TruncatedError,
)

MAX_GAP_S = 300.0
MAX_DURATION_S = 6 * 3600.0
# A header's duration is rounded and includes the last audio packet: a smaller difference is no
# loss.
DURATION_SLACK_S = 2.0
WHOLE_SHARE = 0.97
PEAK_WINDOW_S = 2.0
DEFAULT_RATE = 25.0
# What the transcoder takes for a jump of the clock.
BACKWARD_JUMP_S, FORWARD_JUMP_S = 0.1, 10.0
MAX_RATE = 120.0
# Picture and sound begin or end together if they differ by less than this, less than an audio
# frame.
SLACK_S = 0.02


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """The film's time, in seconds from the file's start.

    Attributes:
        pictures: Number of pictures.
        start: When the film begins: with its first picture, or with sound before it.
        duration: From there to the end of the last picture, or of later sound.
        longest_gap: Between two consecutive pictures.
        rate: Average pictures per second.
        is_frozen: All pictures claim the same time, so their times mean nothing.
        key_times: Where a decoder may start.
        mean_bits: Bits a second on average.
        peak_bits: Bits per second in the busiest two seconds.
        has_jumps: The file's clock restarts somewhere.
        moments: When each picture is shown, ascending; empty if unknown.
        lead: How long the first picture is shown before its own time.
        tail: How long the last picture stays after its own duration.
        is_cut: An edit list leaves out pictures that are in the file.
    """

    pictures: int
    start: float
    duration: float
    longest_gap: float
    rate: float
    is_frozen: bool
    key_times: tuple[float, ...]
    mean_bits: float
    peak_bits: float
    has_jumps: bool = False
    moments: Sequence[float] = ()
    lead: float = 0.0
    tail: float = 0.0
    is_cut: bool = False

    @property
    def end(self) -> float:
        """When the film ends."""
        return self.start + self.duration

    @property
    def longest_still(self) -> float:
        """The longest time for which one picture is shown."""
        return max(self.longest_gap, self.lead, self.tail)


class Clock:
    """One stream's time, without jumps where the format allows them.

    Recorded or joined transport streams restart their clock in the middle. The transcoder continues
    counting there, and so do we.

    Args:
        origin: The file's start in seconds.
        may_jump: Whether the format allows jumps.
    """

    def __init__(self, origin: float, *, may_jump: bool) -> None:
        self._offset = -origin
        self._may_jump = may_jump
        self._last: float | None = None
        self._step = 0.0
        self._moment = 0.0
        self.jumps = 0

    def moment_of(self, shown: float | None, decoded: float | None) -> float:
        """When a packet is shown, in seconds from the start; the last known time if it has none.

        Args:
            shown: Its presentation time.
            decoded: Its decoding time.
        """
        steady = shown if decoded is None else decoded
        if steady is None:
            return self._moment
        if self._may_jump and self._last is not None:
            step = steady - self._last
            if step < -BACKWARD_JUMP_S or step > FORWARD_JUMP_S:
                self._offset -= step - self._step
                self.jumps += 1
            else:
                self._step = step
        self._last = steady
        self._moment = (steady if shown is None else shown) + self._offset
        return self._moment


class PacketLog:
    """Collects the results of a pass over the packets. Times are in seconds."""

    def __init__(self) -> None:
        self._times = array("d")
        self._sizes = array("L")
        self._keys = array("d")
        self.end = 0.0
        self.packets = 0
        self._sound_end: float | None = None

    def add_picture(
        self, moment: float, size: int, is_key: bool, *, is_left_out: bool = False
    ) -> None:
        """Record a picture.

        Args:
            moment: When it is shown.
            size: Bytes.
            is_key: A decoder may start with it.
            is_left_out: An edit list removes it: it is in the file, but not in the film.
        """
        self.packets += 1
        if is_left_out:
            return
        self._times.append(moment)
        self._sizes.append(size)
        if is_key:
            self._keys.append(moment)
        self.end = max(self.end, moment)

    def add_sound(self, moment: float, duration: float = 0.0, *, is_left_out: bool = False) -> None:
        """Record an audio packet: when it is heard, and for how long."""
        self.end = max(self.end, moment)
        before = moment if self._sound_end is None else self._sound_end
        # A packet that comes hours later is an error and does not make the film hours long.
        if not is_left_out and moment - before <= MAX_GAP_S:
            self._sound_end = max(before, moment + duration)

    def summary(self, nominal_rate: float) -> Timing:
        """The result.

        Args:
            nominal_rate: Pictures per second according to the header; used if the times say
                nothing.

        Raises:
            NoVideoStreamError: There is no picture.
        """
        if not self._times:
            raise NoVideoStreamError
        rate = nominal_rate if 0 < nominal_rate <= MAX_RATE else DEFAULT_RATE
        pictures = len(self._times)
        moments = sorted(self._times)
        span = moments[-1] - moments[0]
        is_frozen = pictures > 1 and span <= 0
        if span > 0:
            rate = (pictures - 1) / span
        duration = pictures / rate if span <= 0 else span + 1 / rate
        return Timing(
            pictures=pictures,
            start=moments[0],
            duration=duration,
            longest_gap=max((after - before for before, after in pairwise(moments)), default=0.0),
            rate=rate,
            is_frozen=is_frozen,
            key_times=tuple(sorted(self._keys)),
            mean_bits=sum(self._sizes) * 8 / duration,
            peak_bits=_peak_bits(self._times, self._sizes, duration),
            moments=array("d", moments),
            is_cut=self.packets > pictures,
        )

    def with_sound(self, timing: Timing) -> Timing:
        """The film's time if its sound begins before the first picture or continues after the
        last, which are then shown longer. A player that has sound but no pictures left reports
        another duration than the playlist.
        """
        if timing.is_frozen or timing.has_jumps:  # Two clocks that cannot be compared.
            return timing
        lead = timing.start if timing.start > SLACK_S else 0.0
        sound_end = timing.end if self._sound_end is None else self._sound_end
        tail = sound_end - timing.end if sound_end - timing.end > SLACK_S else 0.0
        return msgspec.structs.replace(
            timing,
            start=timing.start - lead,
            duration=lead + timing.duration + tail,
            lead=lead,
            tail=tail,
        )


def _peak_bits(times: Sequence[float], sizes: Sequence[int], duration: float) -> float:
    """The busiest window; a shorter stream is a single window."""
    window = min(PEAK_WINDOW_S, duration)
    best = total = 0
    ordered = sorted(zip(times, sizes, strict=True))
    first = 0
    for moment, size in ordered:
        total += size
        while ordered[first][0] <= moment - window:
            total -= ordered[first][1]
            first += 1
        best = max(best, total)
    return best * 8 / window


def refuse_what_cannot_be_whole(
    timing: Timing, log: PacketLog, declared_pictures: int, declared_end: float
) -> None:
    """Compare the packets with what the header promises.

    Args:
        timing: Their times.
        log: All packets, including sound and those that an edit list leaves out.
        declared_pictures: According to the index; 0 if it says nothing.
        declared_end: According to the header, in seconds; 0 if it says nothing.

    Raises:
        AbsurdTimestampsError: A gap that no real video has.
        TooLongError: Longer than the limit.
        TruncatedError: Much of what was promised is missing.
    """
    if timing.longest_gap > MAX_GAP_S:
        raise AbsurdTimestampsError(timing.longest_gap)
    if timing.duration > MAX_DURATION_S:
        raise TooLongError(timing.duration, MAX_DURATION_S)
    if log.packets < declared_pictures * WHOLE_SHARE:
        raise TruncatedError(log.packets / declared_pictures)
    if (
        log.end < declared_end * WHOLE_SHARE
        and declared_end - log.end > DURATION_SLACK_S
        and not timing.is_frozen
    ):
        raise TruncatedError(log.end / declared_end)
