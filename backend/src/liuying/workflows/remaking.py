"""Making a published video anew: from its kept original, or from a better file.

The old files serve until the new ones are whole. Published files never change, so the new ones have a key of their own,
and one transaction leads the video to them.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.domains.catalogue.rules import SHORT_CATEGORY
from liuying.domains.catalogue.tables import video
from liuying.domains.playback.tables import asset, subtitle
from liuying.kit.changes import Topic, record_change
from liuying.kit.database import AnyRow
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.images import SealedImage
from liuying.media.cover import encode_picture
from liuying.media.package import Rendition
from liuying.media.plan import EncoderSettings, Plan, make_plan
from liuying.media.probe import probe
from liuying.media.production import SUBTITLE_FOLDER, Production
from liuying.media.publish import publish_text
from liuying.media.subtitles import Track
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.import_progress import Progress, Stage, say_nothing
from liuying.workflows.import_services import ImportServices
from liuying.workflows.import_video import hash_file
from liuying.workflows.indexing import reindex_video
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.kept_chunks import KeptChunks, room_needed
from liuying.workflows.leftovers import address_of, media_root, sweep, tidy
from liuying.workflows.originals import carry_original, forget_original, keep_original, original_of
from liuying.workflows.pictures import forget_picture
from liuying.workflows.preconditions import (
    require_regular_file,
    require_room,
    require_transcoder,
    system_faults,
)


class Made(msgspec.Struct, frozen=True):
    """What was made anew, published and not shown yet.

    Attributes:
        plan: By which.
        renditions: All, the lowest first.
        playlist: The master playlist's name.
        cover: None where the old one stays.
        extras: What goes with a whole ladder.
    """

    plan: Plan
    renditions: Sequence[Rendition]
    playlist: str
    cover: SealedImage | None
    extras: rows.Extras


def remake_video(
    services: ImportServices,
    video_id: int,
    report: Progress = say_nothing,
    *,
    source: Path | None = None,
    keeps_cover: bool = False,
    settings: EncoderSettings | None = None,
) -> None:
    """Make a video's renditions, storyboard and cover anew. Its details, subtitles, views and number stay.

    Args:
        services: The installation.
        video_id: A whole video, hidden or not.
        report: Called with the stage and its share done.
        source: The file to make it from, another cut or a better copy, too; None for the kept original.
        keeps_cover: Whether the cover stays.
        settings: The encoder's; None for the product's own.

    Raises:
        NotFoundError: There is no such video.
        InvalidInputError: No original is kept and no file given, the video is not whole, or the file's content is
            another video's or was taken down.
        ImportBusyError: The video is being imported, moved or remade.
        MediaError: The file is refused, or cannot be published. The video is as it was.
    """
    remake = _Remake(services, video_id, report, source, keeps_cover, settings)
    with system_faults():
        remake.run()


class _Remake:
    """One call of `remake_video`."""

    def __init__(
        self,
        services: ImportServices,
        video_id: int,
        report: Progress,
        given: Path | None,
        keeps_cover: bool,
        settings: EncoderSettings | None,
    ) -> None:
        self._services = services
        self._database, self._data_dir = services.database, services.data_dir
        self._report, self._keeps_cover, self._settings = report, keeps_cover, settings
        self._old = self._find(video_id)
        self._kept = original_of(self._data_dir, self._old.asset_key)
        self._is_given = given is not None
        source = given or self._kept
        if source is None:
            raise InvalidInputError(f"视频 {video_id} 没有保留原文件，请用 --file 写出要用的文件")
        self._source = source.absolute()
        self._key = rows.new_key()
        self._content = ""

    def run(self) -> None:
        self._report(Stage.PROBE, 0.0)
        require_regular_file(self._source)
        self._content = hash_file(self._source)
        self._refuse_content()
        require_transcoder()
        plan = make_plan(probe(self._source), self._settings)
        folders = JobFolders(self._data_dir / "jobs")
        chunks = KeptChunks(folders, self._content, plan) if plan.chunks else None
        require_room(self._data_dir, room_needed(plan, chunks))
        self._report(Stage.PROBE, 1.0)
        with ExitStack() as stack:
            work = self._claim(folders, chunks, stack)
            try:
                self._lead_to(self._make(plan, work, None if chunks is None else chunks.path))
            except BaseException:  # also an interrupted one leaves nothing behind
                with self._database.write() as connection:
                    tidy(connection, self._data_dir, self._key)
                forget_original(self._data_dir, self._key)
                raise
            self._remove_old()
        if self._is_given and (self._kept is not None or self._services.keeps_originals):
            keep_original(self._database, self._data_dir, self._key, self._source, self._content)

    def _find(self, video_id: int) -> AnyRow:
        statement = (
            sa.select(
                video.c.id,
                video.c.asset_key,
                video.c.category_id,
                video.c.cover,
                asset.c.state,
                asset.c.source_hash,
                asset.c.source_name,
                asset.c.is_protected,
            )
            .outerjoin(asset, asset.c.key == video.c.asset_key)
            .where(video.c.id == video_id)
        )
        with self._database.read() as connection:
            found = connection.execute(statement).one_or_none()
        if found is None:
            raise NotFoundError(f"没有编号为 {video_id} 的视频")
        if found.state != "complete":
            raise InvalidInputError(f"视频 {video_id} 还没有导入完，请导入完再重做")
        return found

    def _refuse_content(self) -> None:
        if self._content == self._old.source_hash:
            return
        if not self._is_given:
            raise InvalidInputError(f"保留的原文件 {self._source} 已经不是导入时的内容，请用 --file 写出要用的文件")
        with self._database.read() as connection:
            rows.refuse_taken_down(connection, self._content)
            other = rows.find_asset(connection, self._content)
        if other is not None:
            raise InvalidInputError("这个文件已经导入过，是另一个视频")

    def _claim(self, folders: JobFolders, chunks: KeptChunks | None, stack: ExitStack) -> Path:
        """Hold the video against imports and moves, and take a folder to work in."""
        with folders.gate():
            if chunks is not None:  # before the sweep, which may find them old
                stack.enter_context(chunks)
            sweep(self._database, self._data_dir, folders)
            stack.enter_context(folders.begin(self._old.asset_key))
            work = stack.enter_context(folders.begin(self._key))
        held = self._old.asset_key
        self._old = self._find(self._old.id)  # it may have moved before it was held
        if self._old.asset_key != held:
            raise ImportBusyError
        return work

    @property
    def _target(self) -> Path:
        return media_root(self._data_dir, is_protected=self._old.is_protected) / self._key

    def _make(self, plan: Plan, work: Path, kept: Path | None) -> Made:
        production = Production(plan=plan, source=self._source, work=work, target=self._target, kept=kept)
        low = production.make_low(lambda share: self._report(Stage.LOW, share))
        self._report(Stage.COVER, 0.0)
        cover = None
        if not self._keeps_cover:
            picture = production.cover_picture()
            cover = encode_picture(picture, self._services.sealer, self._data_dir / "enc")
        playlist, made = production.publish_low(low), [low]
        production.forget_low_chunks()
        if len(plan.rungs) > 1:
            self._report(Stage.LADDER, 0.0)
            made += production.make_rest(lambda share: self._report(Stage.LADDER, share))
            playlist = production.publish_rest(made[1:])
        return Made(plan, made, playlist, cover, self._publish_extras(production))

    def _publish_extras(self, production: Production) -> rows.Extras:
        address = address_of(self._key)
        progressive = production.publish_progressive() if self._old.category_id == SHORT_CATEGORY else ""
        storyboard = production.publish_storyboard()
        subtitles = self._carry_subtitles() or [
            (track, f"{address}/{name}") for track, name in production.publish_subtitles()
        ]
        return rows.Extras(
            progressive=f"{address}/{progressive}" if progressive else "",
            storyboard=f"{address}/{storyboard}" if storyboard else "",
            subtitles=subtitles,
        )

    def _carry_subtitles(self) -> list[tuple[Track, str]]:
        """Those that the video has, the operator's own among them."""
        with self._database.read() as connection:
            known = connection.execute(
                sa.select(subtitle).where(subtitle.c.asset_key == self._old.asset_key).order_by(subtitle.c.lang)
            ).all()
        carried = []
        for row in known:
            name = f"{SUBTITLE_FOLDER}/{Path(row.path).name}"
            text = (self._target.parent / row.path.removeprefix("/media/")).read_text(encoding="utf-8")
            publish_text(self._target / name, text)
            carried.append((Track(lang=row.lang, label=row.label), f"{address_of(self._key)}/{name}"))
        return carried

    def _lead_to(self, made: Made) -> None:
        """Lead the video to its new files, in one transaction."""
        old, address = self._old, address_of(self._key)
        if not self._is_given:
            carry_original(self._data_dir, old.asset_key, self._key)
        probed = made.plan.probe
        values = {
            "asset_key": self._key,
            "playlist": f"{address}/{made.playlist}",
            "duration": round(probed.timing.duration * 1000),
            "width": probed.video.width,
            "height": probed.video.height,
        }
        if made.cover is not None:
            values["cover"] = msgspec.to_builtins(made.cover)
        name = self._source.name if self._is_given else old.source_name
        is_it = sa.and_(video.c.id == old.id, video.c.asset_key == old.asset_key)
        with self._database.write() as connection:
            if connection.execute(sa.update(video).where(is_it).values(**values)).rowcount != 1:
                raise NotFoundError(f"视频 {old.id} 在重做期间被删除")
            connection.execute(sa.delete(asset).where(asset.c.key == old.asset_key))
            rows.register_asset(connection, self._key, self._content, name, old.is_protected)
            rows.add_renditions(connection, self._key, address, made.renditions)
            rows.set_state(connection, self._key, made.extras)
            reindex_video(connection, old.id)
            record_change(connection, Topic.CATALOGUE)

    def _remove_old(self) -> None:
        for is_protected in (False, True):
            folder = media_root(self._data_dir, is_protected=is_protected) / self._old.asset_key
            shutil.rmtree(folder, ignore_errors=True)
        forget_original(self._data_dir, self._old.asset_key)
        if not self._keeps_cover:
            forget_picture(self._database, self._data_dir, self._old.cover)
