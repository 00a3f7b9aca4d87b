"""What an error means for its job: every refusal is known by name, and faults of the machine are
tried again.
"""

from __future__ import annotations

import errno
import os
import sqlite3

import pytest
import sqlalchemy as sa

from liuying.core.jobs.rules import MAX_FAILURES, Fault
from liuying.kit.errors import InvalidInputError
from liuying.media import errors
from liuying.media.errors import (
    DiskFullError,
    MediaError,
    TooLongError,
    TranscoderError,
    UnreadableError,
)
from liuying.workflows.job_causes import DATABASE_FAULT, MEANINGS, PROGRAM_FAULT, cause_of
from liuying.workflows.job_folders import ImportBusyError
from liuying.workflows.preconditions import SystemFaultError, TranscoderMissingError


def sqlite_error(code: int) -> sa.exc.OperationalError:
    said = sqlite3.OperationalError("in the library's own words")
    said.sqlite_errorcode = code
    return sa.exc.OperationalError("UPDATE", {}, said)


def refusals(kind: type[MediaError]) -> set[type[MediaError]]:
    return {one for below in kind.__subclasses__() for one in {below, *refusals(below)}}


def test_every_refusal_is_known_by_name() -> None:
    known = [kind for kind, _, _ in MEANINGS]
    assert refusals(MediaError) <= set(known)
    assert len({english for _, _, english in MEANINGS}) == len(MEANINGS)
    # The first that fits counts: none is hidden behind one above it.
    assert not [
        (a, b) for place, a in enumerate(known) for b in known[place + 1 :] if issubclass(b, a)
    ]
    assert errors.DamagedError in known


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (DiskFullError(), Fault.DISK_FULL),
        (UnreadableError("Permission denied"), Fault.UNREADABLE),
        (SystemFaultError(OSError(errno.EIO, "Input/output error")), Fault.SYSTEM),
        (TranscoderMissingError("/nope"), Fault.SYSTEM),
        (ImportBusyError(), Fault.BUSY),
        (TranscoderError("退出码 -9"), Fault.TRANSCODER),
        (sqlite_error(sqlite3.SQLITE_BUSY), Fault.SYSTEM),
        (sqlite_error(sqlite3.SQLITE_READONLY_DIRECTORY), Fault.SYSTEM),
        (sqlite_error(sqlite3.SQLITE_FULL), Fault.DISK_FULL),
        (
            sa.exc.OperationalError("UPDATE", {}, OSError(os.strerror(errno.ENOSPC))),
            Fault.DISK_FULL,
        ),
        (ZeroDivisionError(), Fault.PROGRAM),
    ],
)
def test_what_may_pass_is_tried_again(error: Exception, fault: Fault) -> None:
    assert cause_of(error).fault is fault
    assert MAX_FAILURES[fault] > 1


def test_what_the_operator_reads() -> None:
    found = cause_of(TooLongError(50_000, 43_200))
    assert (found.text, found.english) == (
        "视频过长：13.9 小时，上限 12 小时",
        "The video is too long",
    )
    assert cause_of(InvalidInputError("没有编号为 9 的分类")).text == "没有编号为 9 的分类"
    assert cause_of(KeyError("x")) == PROGRAM_FAULT
    assert cause_of(sa.exc.OperationalError("", {}, OSError("gone"))) == DATABASE_FAULT


def test_a_database_that_cannot_be_used_is_told_of_in_both_languages() -> None:
    found = cause_of(sqlite_error(sqlite3.SQLITE_READONLY))
    assert found.text == "数据库无法使用：没有写入的权限，或磁盘是只读的"
    assert found.english == "The database cannot be used: it may not be written"
