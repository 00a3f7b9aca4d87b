"""Whether the rows of a bucket's objects and the bucket itself agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.kit.folder_store import FolderStore
from liuying.kit.object_keys import picture_key
from liuying.kit.object_records import ObjectRow
from liuying.kit.s3_store import S3Store
from liuying.kit.storage_layout import StorageLayout
from liuying.workflows.doctor import store as doctor
from liuying.workflows.doctor.findings import Severity
from tests.kit.test_object_store import records_in
from tests.s3_server import S3Server

PICTURE = picture_key("ab" * 16)
SEGMENT = "media/abcdefgh12345678/360/s00001.m4s"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if everything had been stored long ago."""
    monkeypatch.setattr(doctor, "GRACE_S", -60.0)


@pytest.mark.usefixtures("later")
def test_what_agrees_is_not_mentioned(s3: S3Server, tmp_path: Path) -> None:
    store = S3Store(s3.place(), records_in(tmp_path))
    store.put_if_absent(PICTURE, b"CV")
    store.put_if_absent(SEGMENT, b"segment")
    assert list(doctor.examine_records(store)) == []


@pytest.mark.usefixtures("later")
def test_rows_without_objects_are_found(s3: S3Server, tmp_path: Path) -> None:
    records = records_in(tmp_path)
    assert records.claim([ObjectRow(PICTURE, 2)])
    (found,) = doctor.examine_records(S3Store(s3.place(), records))
    assert (found.topic, found.severity) == ("store-absent", Severity.WARNING)
    assert PICTURE in found.sentence


def test_a_row_that_was_just_written_awaits_its_object(s3: S3Server, tmp_path: Path) -> None:
    records = records_in(tmp_path)
    assert records.claim([ObjectRow(PICTURE, 2)])
    assert list(doctor.examine_records(S3Store(s3.place(), records))) == []


@pytest.mark.usefixtures("later")
def test_objects_without_rows_are_found(s3: S3Server, tmp_path: Path) -> None:
    """As after a database was restored that is older than the bucket."""
    records = records_in(tmp_path)
    store = S3Store(s3.place(), records)
    store.put_if_absent(SEGMENT, b"segment")
    records.forget_prefix("media/")
    (found,) = doctor.examine_records(store)
    assert (found.topic, found.severity) == ("store-unrecorded", Severity.INFO)
    assert "media/abcdefgh12345678/360/" in found.sentence


def test_the_data_folder_has_no_rows(tmp_path: Path) -> None:
    store = FolderStore(StorageLayout(tmp_path))
    assert list(doctor.examine_records(store)) == []
    assert list(doctor.examine_store(store)) == []
