"""What visitors report, and what the operator decides (docs/product.md#reports)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import sqlalchemy as sa

from liuying.core.catalogue.queries.videos import video_row
from liuying.features.reports import queries
from liuying.features.reports.rules import (
    NOTE_LENGTH,
    PURPOSE,
    STATE_TEXTS,
    UNKNOWN_RECEIPT,
    State,
    checked_text,
    hash_of,
    new_salt,
    read_receipt,
    receipt_of,
)
from liuying.features.reports.schemas import EntryView, NewReport, ReportState, ReportView
from liuying.kit.caller import Caller
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Milliseconds, day_number, to_iso, to_iso_if_known
from liuying.kit.database import AnyRow
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.repeated_writes import write_once
from liuying.kit.texts import clean_lines, clean_text

MOST_REPORTS = 500


def store(
    connection: sa.Connection,
    hashes: KeyedHashes,
    given: NewReport,
    caller: Caller,
    now: Milliseconds,
) -> str:
    """Keep a report of a video that visitors see. A network counts once a day for a video, so that
    nobody makes one report look like many. The same report from the same code, or without a code
    from the same network, within ten minutes is a repetition.

    Returns:
        Its receipt; of a repetition the first one's.

    Raises:
        InvalidInputError: The explanation is missing or too long.
        NotFoundError: There is no such video, or it is hidden.
    """
    content = checked_text(clean_lines(given.content), given.reason)
    contact = clean_text(given.contact).strip()
    sent = (caller.code or caller.network, given.video_id, given.reason, content, contact)

    def keep() -> str:
        salt = new_salt()
        row = {
            "reason": given.reason,
            "content": content,
            "contact": contact,
            "receipt_hash": hash_of(hashes, receipt_of(hashes, salt, *sent)),
        }
        _keep(connection, hashes, caller.network, given.video_id, now, row)
        return salt

    salt = write_once(connection, hashes, ("report", *sent), now, keep)
    return receipt_of(hashes, salt, *sent)


def state_of(connection: sa.Connection, hashes: KeyedHashes, text: str) -> ReportState:
    """What became of a report.

    Args:
        text: Its receipt, as somebody typed it.

    Raises:
        NotFoundError: No report has it.
    """
    receipt = read_receipt(text)
    found = receipt and queries.state_by_receipt(connection, hash_of(hashes, receipt))
    if not found:
        raise NotFoundError(UNKNOWN_RECEIPT)
    return ReportState(found, STATE_TEXTS[State(found)])


def list_entries(
    connection: sa.Connection, limit: int, *, only_open: bool
) -> tuple[list[EntryView], int]:
    """Reported videos, the latest report first, and the total."""
    rows, total = queries.newest_entries(connection, limit, only_open=only_open)
    return [_view(row) for row in rows], total


def get_entry(connection: sa.Connection, entry_id: int) -> tuple[EntryView, list[ReportView]]:
    """A reported video and its latest reports.

    Raises:
        NotFoundError: No entry has this number.
    """
    row = queries.entry_row(connection, entry_id)
    if row is None:
        raise NotFoundError(f"没有编号为 {entry_id} 的举报")
    reports = [
        ReportView(
            id=one.id,
            created_at=to_iso(one.created_at),
            reason=one.reason,
            content=one.content,
            contact=one.contact,
        )
        for one in queries.reports_of(connection, entry_id, MOST_REPORTS)
    ]
    return _view(row), reports


def set_state(
    connection: sa.Connection, entry_id: int, state: State, note: str, now: Milliseconds
) -> None:
    """Take an entry up, or decide it. Whoever reported it sees the state.

    Args:
        note: For the operator alone.

    Raises:
        NotFoundError: No entry has this number.
        InvalidInputError: It was decided before, or the note is too long.
    """
    note = clean_text(note).strip()
    if len(note) > NOTE_LENGTH:
        raise InvalidInputError(f"备注最多 {NOTE_LENGTH} 个字符", "note")
    decided_at = now if state in {State.REMOVED, State.DISMISSED} else None
    meant = queries.is_entry(entry_id)
    if queries.decide(connection, meant, state, note, decided_at):
        return
    get_entry(connection, entry_id)
    raise InvalidInputError(f"举报 {entry_id} 已经处理过")


def note_removed(
    connection: sa.Connection, video_ids: Collection[int], note: str, now: Milliseconds
) -> None:
    """Decide the open entries of videos that go, in the transaction that takes them away."""
    note = clean_text(note).strip()
    queries.decide(connection, queries.is_about(video_ids), State.REMOVED, note, now)
    queries.change_state(connection, video_ids, State.RESTORED, State.REMOVED)


def note_restored(connection: sa.Connection, video_ids: Collection[int]) -> None:
    """Let the entries of removed videos tell that they are back, in the transaction that takes
    them out of the bin.
    """
    queries.change_state(connection, video_ids, State.REMOVED, State.RESTORED)


def _keep(
    connection: sa.Connection,
    hashes: KeyedHashes,
    network: ClientNetwork,
    video_id: int,
    now: Milliseconds,
    report: Mapping[str, object],
) -> None:
    """Keep a report, and count it in its video's entry if its network has not counted today."""
    video = video_row(connection, video_id)
    if video is None:
        raise NotFoundError
    values = {"title": video.title, "state": State.NEW.value}
    entry, day = queries.open_entry(connection, video_id, values, now), day_number(now)
    if queries.note_mark(connection, hashes.digest(PURPOSE, network, entry, day).hex(), day):
        queries.count_report(connection, entry)
    queries.insert_report(connection, {"entry_id": entry, "created_at": now, **report})


def _view(row: AnyRow) -> EntryView:
    return EntryView(
        id=row.id,
        video_id=row.video_id,
        title=row.title,
        state=State(row.state),
        reports=row.reports,
        first_at=to_iso(row.first_at),
        last_at=to_iso(row.last_at),
        decided_at=to_iso_if_known(row.decided_at),
        note=row.note,
    )
