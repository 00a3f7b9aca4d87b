"""Filling an empty installation with the demo catalogue: drawn, encoded and imported like anybody's
films.

It may be killed at any time. What is imported is known by its source file's name and is neither
drawn nor imported again; a notice for visitors stands while the work goes on, and its absence says
that the demo is complete.
"""

from __future__ import annotations

import shutil
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa
from PIL import Image

from liuying.core.catalogue.tables import video
from liuying.core.playback.tables import asset
from liuying.features.notices.service import write_notice
from liuying.features.notices.tables import notice
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import Database
from liuying.kit.errors import LiuyingError
from liuying.media.plan import EncoderSettings
from liuying.workflows.import_services import ImportServices
from liuying.workflows.import_video import import_file
from liuying_demo.catalogue import (
    AdEntry,
    DemoCatalogue,
    VideoEntry,
    load_catalogue,
    meta_of,
    source_name,
)
from liuying_demo.drawing_process import Drawer, DrawingError
from liuying_demo.furnish import (
    furnish_ad,
    furnish_artists,
    furnish_topics,
    furnish_words,
    missing_ads,
)
from liuying_demo.mark import note_imported, was_removed
from liuying_demo.progress import Report, console_report

FILLING_TITLE = "演示目录正在导入"
FILLING_CONTENT = (
    "<p>演示视频正在逐个生成并导入，页面会越来越丰富。几分钟后这条公告会自动消失。</p>"
)
# So many films come before most of the advertisements: there is something to watch within seconds.
FIRST_FILMS = 8
# Drawn films are plain enough for it, and the whole catalogue is to be there in minutes.
SETTINGS = EncoderSettings(quality=22)

Task = Callable[[Drawer, Report], None]


def is_needed(database: Database) -> bool:
    """Whether there is no video at all, or a demo that was begun and not finished. A demo that the
    operator took away is not.
    """
    with database.read() as connection:
        if was_removed(connection):
            return False
        has_video = connection.execute(sa.select(video.c.id).limit(1)).first() is not None
        is_filling = connection.execute(_filling_notice()).first() is not None
    return is_filling or not has_video


def fill(
    services: ImportServices,
    workers: int = 2,
    report: Callable[[int, int], Report] = console_report,
    catalogue: DemoCatalogue | None = None,
) -> None:
    """Write and import the whole catalogue, or what is missing of it.

    Args:
        services: The installation.
        workers: How many films are in work at a time; each keeps one processor busy.
        report: Makes what is told of the progress, from the number of films and how many are there.
        catalogue: What to import; by default all, else a part of the package's catalogue.
    """
    catalogue = catalogue or load_catalogue()
    folder = services.layout.at("demo")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _begin(services)
    furnish_words(services, catalogue)
    there = _imported_names(services.database, catalogue)
    films = [
        _film_task(services, entry) for entry in catalogue.videos if source_name(entry) not in there
    ]
    ads = [_ad_task(services, entry) for entry in missing_ads(services, catalogue)]
    tasks = deque(
        [
            *films[:2],
            *ads[:3],
            *films[2:FIRST_FILMS],
            *ads[3:],
            _portraits(services, catalogue),
            *films[FIRST_FILMS:],
        ]
    )
    _note_rows(services, catalogue)
    with report(len(catalogue.videos), len(catalogue.videos) - len(films)) as told:
        _work(tasks, workers, folder, told)
    shutil.rmtree(folder, ignore_errors=True)
    furnish_topics(services, catalogue)
    _note_rows(services, catalogue)
    if len(_imported_names(services.database, catalogue)) >= len(catalogue.videos):
        _finish(services)


def _work(tasks: deque[Task], workers: int, folder: Path, told: Report) -> None:
    """Do all tasks in order with some threads, each beside a drawing process of its own.

    Raises:
        Exception: The first unexpected error of a thread; the other threads finish what they are
            at.
    """
    errors: list[Exception] = []

    def run() -> None:
        try:
            with Drawer(folder) as drawer:
                while not errors:
                    try:
                        task = tasks.popleft()
                    except IndexError:
                        return
                    task(drawer, told)
        except Exception as error:  # noqa: BLE001  # handed to the main thread, which raises it
            errors.append(error)

    # Daemons: when the program is told to end, it ends at once. Drawing processes end with their
    # pipe.
    threads = [
        threading.Thread(target=run, name=f"demo-{number}", daemon=True)
        for number in range(workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def _film_task(services: ImportServices, entry: VideoEntry) -> Task:
    def draw_and_import(drawer: Drawer, told: Report) -> None:
        try:
            film, cover = drawer.draw_film(entry.key)
            import_file(
                services,
                film,
                meta_of(entry, services.clock(), cover.read_bytes()),
                settings=SETTINGS,
            )
        except (DrawingError, LiuyingError) as error:
            told.failed(entry.title, str(error))
            return
        film.unlink()
        cover.unlink()
        told.finished(entry.title)

    return draw_and_import


def _ad_task(services: ImportServices, entry: AdEntry) -> Task:
    def draw_and_write(drawer: Drawer, told: Report) -> None:
        try:
            path = drawer.draw_ad(entry.key)
        except DrawingError as error:
            told.failed(entry.title, str(error))
            return
        with Image.open(path) as picture:
            furnish_ad(services, entry, picture)
        path.unlink()

    return draw_and_write


def _portraits(services: ImportServices, catalogue: DemoCatalogue) -> Task:
    return lambda _drawer, _told: furnish_artists(services, catalogue)


def _imported_names(database: Database, catalogue: DemoCatalogue) -> set[str]:
    statement = (
        sa.select(asset.c.source_name)
        .join(video, video.c.asset_key == asset.c.key)
        .where(asset.c.state == "complete")
    )
    with database.read() as connection:
        names = set(connection.execute(statement).scalars())
    return names & {source_name(entry) for entry in catalogue.videos}


def _filling_notice() -> sa.Select[tuple[int]]:
    return sa.select(notice.c.id).where(notice.c.title == FILLING_TITLE)


def _note_rows(services: ImportServices, catalogue: DemoCatalogue) -> None:
    with services.database.write() as connection:
        note_imported(connection, catalogue)


def _begin(services: ImportServices) -> None:
    with services.database.write() as connection:
        if connection.execute(_filling_notice()).first() is None:
            write_notice(connection, FILLING_TITLE, FILLING_CONTENT, services.clock())


def _finish(services: ImportServices) -> None:
    with services.database.write() as connection:
        connection.execute(sa.delete(notice).where(notice.c.title == FILLING_TITLE))
        record_change(connection, CacheTopic.NOTICES)
