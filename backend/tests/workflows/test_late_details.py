"""A film that is uploaded, described while it is encoded, and shown or hidden as was typed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.jobs.tables import job
from liuying.installation.services import Services
from liuying.kit.object_keys import inbox_key
from liuying.worker.claiming import Worker
from liuying.workflows.handing_over import hand_over_next
from liuying.workflows.inbox import sweep_inbox
from liuying.workflows.upload_details import Details, change_details
from liuying.workflows.upload_spool import spool_of
from liuying.workflows.uploading import NewUpload, create_upload, receive
from liuying.workflows.video_meta import GivenMeta


def uploaded(services: Services, clip: Path) -> str:
    content = clip.read_bytes()
    new = NewUpload(name="原名.mp4", size=len(content), metadata="", actor="小王")
    upload_id = create_upload(services, new, 10**9)
    assert receive(services, spool_of(services), upload_id, 0, content, lambda _: None)
    return upload_id


def only_video(services: Services) -> sa.Row[tuple[object, ...]]:
    with services.database.read() as connection:
        return connection.execute(sa.select(video)).one()


def work(services: Services) -> None:
    Worker(services, lambda: False, lambda: None).run(is_until_empty=True)
    with services.database.read() as connection:
        ended = connection.execute(sa.select(job)).one()
    assert (ended.state, ended.cause) == ("done", "")


def test_what_was_typed_before_is_there_from_the_first_moment(
    services: Services, plain_clip: Path
) -> None:
    upload_id = uploaded(services, plain_clip)
    change_details(services, upload_id, Details(GivenMeta(title="先不发布"), is_hidden=True))
    assert hand_over_next(services)
    work(services)
    row = only_video(services)
    assert (row.title, row.is_hidden) == ("先不发布", True)
    # Its file was needed once.
    content = hashlib.sha256(plain_clip.read_bytes()).hexdigest()
    assert services.objects.open(inbox_key(content)) is None
    # And described once more, it is the video that changes.
    change_details(services, upload_id, Details(GivenMeta(title="发布了")))
    row = only_video(services)
    assert (row.title, row.is_hidden) == ("发布了", False)


@pytest.mark.parametrize("moment", ["_renew", "_note_published"])
def test_what_is_typed_while_it_is_encoded_is_kept(
    services: Services, tall_clip: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Before the first rendition is published, and in the same moment."""
    upload_id = uploaded(services, tall_clip)
    assert hand_over_next(services)
    original = getattr(Worker, moment)
    typed: list[bool] = []

    def typing(worker: Worker, *arguments: object) -> object:
        if not typed:
            typed.append(True)
            change_details(
                services, upload_id, Details(GivenMeta(title="后来的标题"), is_hidden=True)
            )
        return original(worker, *arguments)

    monkeypatch.setattr(Worker, moment, typing)
    work(services)
    row = only_video(services)
    assert (row.title, row.is_hidden, typed) == ("后来的标题", True, [True])


def test_files_that_no_job_names_leave_the_data_folder(
    services: Services, plain_clip: Path
) -> None:
    uploaded(services, plain_clip)
    assert hand_over_next(services)
    assert sweep_inbox(services.database, services.objects) == 0
    with services.database.write() as connection:
        connection.execute(sa.update(job).values(state="cancelled", due_at=None))
    assert sweep_inbox(services.database, services.objects) == 1
