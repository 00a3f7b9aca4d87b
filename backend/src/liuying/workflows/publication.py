"""The steps by which an import becomes visible: files are in place before the row that leads to
them is committed.
"""

from __future__ import annotations

from threading import Thread

import msgspec

from liuying.core.catalogue.named_categories import category_id_of
from liuying.core.catalogue.queries import videos
from liuying.core.catalogue.rules import SHORT_CATEGORY
from liuying.core.playback.queries import assets, playable
from liuying.features.search.pinyin import load_dictionaries
from liuying.kit.images import EncryptedImage
from liuying.kit.texts import clean_text
from liuying.media.cover import encode_picture, open_picture
from liuying.media.extras import publish_progressive, publish_storyboard, publish_subtitles
from liuying.media.playlists import Rendition
from liuying.media.production import Production
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.asset_hold import AssetHold
from liuying.workflows.import_progress import Progress, Stage
from liuying.workflows.import_services import ImportServices
from liuying.workflows.leftovers import address_of
from liuying.workflows.protection import note_seal
from liuying.workflows.resemblance import refuse_resembling
from liuying.workflows.video_meta import CHAPTER_LENGTH, Chapter, VideoMeta, title_from_name


class Publication(msgspec.Struct, frozen=True, kw_only=True):
    """One video on its way from a production to the catalogue.

    Attributes:
        services: The installation.
        key: The asset's, registered.
        production: Makes the files.
        meta: The video's metadata.
        category_id: Its future category; None if that is new.
        report: Called with the stage and its completed share.
        hold: The right to publish the asset.
    """

    services: ImportServices
    key: str
    production: Production
    meta: VideoMeta
    category_id: int | None
    report: Progress
    hold: AssetHold

    def publish_first(self) -> None:
        """Make the video visible with its first rendition; it is complete if there is no other.

        Raises:
            MediaError: The file is damaged, or the transcoder failed.
            ResemblesError: It looks like a film that was taken down.
        """
        self.report(Stage.FIRST, 0.0)
        # While the transcoder works: otherwise the first text of a process waits for them, and
        # keeps others from writing.
        Thread(target=load_dictionaries, name="dictionaries", daemon=True).start()
        rendition = self.production.make_first(lambda share: self.report(Stage.FIRST, share))
        if not self.meta.accepts_match:
            refuse_resembling(
                self.services.database,
                self.production.glance_at_first,
                self.production.sketch_first,
            )
        self.report(Stage.COVER, 0.0)
        cover = self._make_cover()
        playlist = self.production.publish_first(rendition)
        is_whole = len(self.production.plan.rungs) == 1
        extras = self._publish_extras(self.category_id) if is_whole else None
        self._write_first(rendition, cover, playlist, extras)
        self.report(Stage.COVER, 1.0)

    def _write_first(
        self, rendition: Rendition, cover: EncryptedImage, playlist: str, extras: rows.Extras | None
    ) -> None:
        probed, address = self.production.plan.probe, address_of(self.key)
        with self.services.database.write() as connection:
            self.hold.require(connection)
            new = rows.NewVideo(
                key=self.key,
                title=self.meta.title or title_from_name(self.production.source),
                meta=self._with_chapters(),
                category_id=category_id_of(connection, self.meta.category),
                duration=round(probed.timing.duration * 1000),
                width=probed.video.width,
                height=probed.video.height,
                playlist=f"{address}/{playlist}",
                cover=cover,
                now=self.services.clock(),
            )
            video_id = rows.add_video(connection, new)
            # Its files lie where its gate said when the asset was registered.
            is_protected = playable.is_protected(connection, self.key)
            note_seal(connection, video_id, new.category_id, is_protected=is_protected)
            rows.add_renditions(connection, self.key, address, [rendition])
            rows.add_audio_tracks(connection, self.key, address, self.production.sounds)
            rows.set_state(connection, self.key, extras)
            assets.update_asset(connection, self.key, {"is_one_file": True})

    def _with_chapters(self) -> VideoMeta:
        """The metadata; with the file's own chapters if nobody gave any."""
        if self.meta.chapters:
            return self.meta
        own = self.production.plan.probe.chapters
        named = [(start, clean_text(name)[:CHAPTER_LENGTH].strip()) for start, name in own]
        chapters = tuple(Chapter(start, name) for start, name in named if name)
        # A single one is the film.
        return msgspec.structs.replace(self.meta, chapters=chapters if len(chapters) > 1 else ())

    def publish_rest(self) -> None:
        """Add the other renditions, and what accompanies a complete ladder.

        Raises:
            MediaError: The transcoder failed.
            InvalidInputError: The video was put into the bin meanwhile.
        """
        self.report(Stage.LADDER, 0.0)
        made = self.production.make_rest(lambda share: self.report(Stage.LADDER, share))
        with self.services.database.read() as connection:
            # The operator may have moved it meanwhile, to the bin or to another category.
            rows.refuse_removed(connection, self.key)
            category_id = videos.video_of_asset(connection, self.key).category_id
        playlist, address = self.production.publish_rest(made), address_of(self.key)
        extras = self._publish_extras(category_id)
        with self.services.database.write() as connection:
            self.hold.require(connection)
            rows.refuse_removed(connection, self.key)
            rows.add_renditions(connection, self.key, address, made)
            rows.set_state(connection, self.key, extras)
            rows.set_playlist(connection, self.key, f"{address}/{playlist}")
        self.report(Stage.LADDER, 1.0)

    @property
    def warning(self) -> str:
        """What is wrong with the video although it is published; empty where nothing is."""
        production, probed = self.production, self.production.plan.probe
        damaged, pictures = production.damage.pictures, probed.timing.pictures
        said = [f"画面有损坏：{pictures} 帧里有 {damaged} 帧解码出错"] if damaged else []
        if probed.audio_left_out:
            total = len(probed.audio_tracks) + probed.audio_left_out
            said.append(f"文件有 {total} 条音轨，只收前 {len(probed.audio_tracks)} 条")
        heard = {one.track for one in production.sounds}
        lost = [one.label for one in probed.audio_tracks if heard and one not in heard]
        if lost:
            said.append(f"音轨无法解码，没有收：{'、'.join(lost)}")
        return "；".join(said)

    def _make_cover(self) -> EncryptedImage:
        given = self.meta.cover
        picture = self.production.cover_picture() if given is None else open_picture(given)
        return encode_picture(picture, self.services.encryptor, self.services.objects)

    def _publish_extras(self, category_id: int | None) -> rows.Extras:
        """Publish what accompanies a complete ladder."""
        address = address_of(self.key)
        plan, source, files = self.production.plan, self.production.source, self.production.files
        progressive = publish_progressive(plan, files) if category_id == SHORT_CATEGORY else ""
        storyboard = publish_storyboard(plan, files)
        subtitles = publish_subtitles(plan, source, files, self.meta.subtitles)
        return rows.Extras(
            progressive=f"{address}/{progressive}" if progressive else "",
            storyboard=f"{address}/{storyboard}" if storyboard else "",
            subtitles=[(track, f"{address}/{name}") for track, name in subtitles],
            warning=self.warning,
        )
