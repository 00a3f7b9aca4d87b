"""Taking videos down: unreachable at once, gone for good once it is known what they look like.

Three steps, each of which leaves a state that the next call or the housekeeping goes on from. The
video goes into the bin: nobody reads it any more. Its content gets a tombstone: nobody imports it
or takes it out of the bin. Its fingerprint is taken from its lowest rendition, which takes seconds
for a short video and minutes for a film. Then it is purged.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import PurePosixPath

from liuying.core.catalogue.queries.videos import video_of_asset
from liuying.core.catalogue.removed_videos import require_video
from liuying.core.playback.queries import assets, playable, tombstones
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import NotFoundError
from liuying.kit.texts import required_text
from liuying.media import sketching
from liuying.media.errors import MediaError
from liuying.media.ffmpeg import Job, run
from liuying.media.fingerprint import SIDE, TAKEN_RATE
from liuying.media.packaged import join, stored
from liuying.media.planned_run import BASE_TIMEOUT_S, TIMEOUT_FACTOR
from liuying.workflows.job_folders import ImportBusyError
from liuying.workflows.protection import held
from liuying.workflows.purging import purge_video
from liuying.workflows.removal import REASON_LENGTH, Installation, hide_files, remove_videos

LOG = logging.getLogger(__name__)
# A line of the transcoder's list of moments.
LINE_BYTES = 80


def take_down(installation: Installation, video_id: int, reason: str) -> None:
    """Take a video down; the same content cannot be imported again, nor one that looks like it.

    Args:
        installation: The database, the layout and the object store.
        video_id: In the bin or not.
        reason: As recorded.

    Raises:
        InvalidInputError: The reason is blank or too long.
        NotFoundError: No such video.
        OSError: A file could not be moved or removed; it is unreachable in any case.
    """
    begin_take_down(installation, video_id, reason)
    finish_take_down(installation, video_id)


def begin_take_down(installation: Installation, video_id: int, reason: str) -> None:
    """Make a video unreachable and refuse its content. Arguments and errors as in `take_down`."""
    reason = required_text("下架原因", reason, REASON_LENGTH)
    remove_videos(installation, [video_id], reason)
    with installation.database.write() as connection:
        row = require_video(connection, video_id)
        content = assets.content_of(connection, row.asset_key)
        if content is not None:
            now = installation.clock()
            tombstones.lay_tombstone(connection, content, reason, now, row.title)
            record_change(connection, CacheTopic.CATALOGUE)
    if row.asset_key is not None:
        # Also where somebody mends or repacks it: that work fails, which is of no account any more.
        hide_files(installation.objects, row.asset_key)


def finish_take_down(installation: Installation, video_id: int) -> None:
    """Take the fingerprint and purge. A video that is gone already is no error.

    Raises:
        OSError: A file could not be removed.
    """
    with installation.database.read() as connection:
        try:
            row = require_video(connection, video_id)
        except NotFoundError:
            return
        key = row.asset_key
        content = assets.content_of(connection, key)
        reason = tombstones.tombstone_reason(connection, content)
    if key is not None and content is not None:
        try:
            _take_fingerprint(installation, key, content, row.duration / 1000)
        except ImportBusyError:
            # An import is ending, or another process does the same: the housekeeping comes again.
            return
        except (MediaError, OSError, ValueError) as error:
            # It goes in any case; its file stays refused.
            LOG.warning("no fingerprint of video %d: %s", video_id, error)
    with suppress(NotFoundError):  # Another process may have finished it meanwhile.
        purge_video(installation, video_id, reason)


def finish_take_downs(installation: Installation) -> None:
    """Finish those that were interrupted.

    Raises:
        OSError: A file could not be removed.
    """
    with installation.database.read() as connection:
        keys = tombstones.taken_down_assets(connection)
        videos = [video_of_asset(connection, key).id for key in keys]
    for video_id in videos:
        finish_take_down(installation, video_id)


def _take_fingerprint(installation: Installation, key: str, content: str, seconds: float) -> None:
    objects = installation.objects
    with installation.database.read() as connection:
        renditions = playable.rendition_rows(connection, key)
        place = assets.place_of(connection, key)
    if not renditions:
        return
    folder = PurePosixPath(objects.media.key(renditions[0].path, place)).parent
    with held(installation.layout, key) as work:
        file = work / "taken-down.mp4"
        join(stored(objects, f"{folder}/"), file)

        def transcode(arguments: list[str]) -> None:
            size = TAKEN_RATE * (seconds + 1) * (SIDE * SIDE + LINE_BYTES)
            job = Job(
                arguments=arguments,
                folder=work,
                duration=seconds,
                timeout=BASE_TIMEOUT_S + TIMEOUT_FACTOR * seconds,
                output_bytes=round(2 * size) + 1_000_000,
            )
            run(job)

        taken = sketching.fingerprint_rendition(transcode, work, file)
    with installation.database.write() as connection:
        tombstones.set_fingerprint(connection, content, taken.to_bytes())
