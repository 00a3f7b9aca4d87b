"""What was freed belongs to the system again."""

from __future__ import annotations

import threading
from pathlib import Path

from liuying.kit.freed_memory import give_memory_back

PIECES, PIECE_BYTES = 2_000, 32_000


def resident_bytes() -> int:
    """Of this process."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096


def test_what_a_thread_freed_is_given_back() -> None:
    kept: list[bytes] = []

    def build() -> None:
        # Small pieces with others between them, which stay: the C library returns none by itself.
        pieces = []
        for _ in range(PIECES):
            pieces.append(bytearray(PIECE_BYTES))
            kept.append(bytes(100))
        pieces.clear()

    thread = threading.Thread(target=build)
    thread.start()
    thread.join()
    before = resident_bytes()
    give_memory_back()
    assert len(kept) == PIECES
    assert resident_bytes() < before - PIECES * PIECE_BYTES // 2
