"""What may be wrong with an installation, done to it on purpose."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.tables import video, video_detail
from liuying.installation.services import Services
from liuying.kit.object_keys import PICTURES
from liuying.media.packaged import read_playlist
from liuying.workflows.indexing import reindex_videos
from liuying.workflows.queries.database import note_oldest_reader
from tests.catalogue_factory import NOW, add_ad
from tests.workflows.published import files_of, replace_file, row_of

PAGE_BYTES = 4096
LONG_AGO = time.time() - 3 * 24 * 3600


def file_of_rung(services: Services, ending: str) -> tuple[str, bytes]:
    """The public path and the content of a file of the lowest rung."""
    key = str(row_of(services, 1).asset_key)
    name, content = next(
        (name, content)
        for name, content in files_of(services, key).items()
        if name.startswith("360/") and name.endswith(ending)
    )
    return f"/media/{key}/{name}", content


def lose(services: Services) -> None:
    path, _ = file_of_rung(services, ".mp4")
    replace_file(services, path, None)


def cut(services: Services) -> None:
    path, content = file_of_rung(services, ".mp4")
    replace_file(services, path, content[:-1])


def cut_between_fragments(services: Services) -> None:
    """What is left is a sound file, but the playlist counts on more."""
    path, content = file_of_rung(services, ".mp4")
    _, playlist = file_of_rung(services, "/index.m3u8")
    replace_file(services, path, content[: read_playlist(playlist.decode()).segments[-1].offset])


def lose_key_frames(services: Services) -> None:
    path, _ = file_of_rung(services, "/iframes.m3u8")
    replace_file(services, path, None)


def cut_playlist(services: Services) -> None:
    path, content = file_of_rung(services, "/index.m3u8")
    replace_file(services, path, content.replace(b"#EXT-X-ENDLIST", b""))


def lose_picture(services: Services) -> None:
    services.objects.delete(next(services.objects.objects(f"{PICTURES}/")).key)


def leave_orphans(services: Services) -> None:
    folder = services.data_dir / "media" / "public" / "0123456789abcdef0123"
    picture = services.data_dir / "enc" / "ab" / ("ab" * 16 + ".bin")
    # A real picture may lie there already: folders are named by the first two of its random digits.
    for path in (folder, picture.parent):
        path.mkdir(parents=True, exist_ok=True)
    picture.touch()
    for path in (folder, picture):
        os.utime(path, (LONG_AGO, LONG_AGO))


def write(*statements: Any) -> Callable[[Services], None]:
    def act(services: Services) -> None:
        with services.database.write() as connection:
            for statement in statements:
                connection.execute(statement)

    return act


def open_secrets(services: Services) -> None:
    (services.data_dir / "secrets.json").chmod(0o644)


def break_secrets(services: Services) -> None:
    (services.data_dir / "secrets.json").write_text("{}")


def add_old_ad(services: Services) -> None:
    cover = row_of(services, 1).cover
    with services.database.write() as connection:
        add_ad(connection, 1, "USER", ends_at=NOW - 1, image=cover)
        add_ad(connection, 2, "LIST", ends_at=NOW - 1, image=cover)
        add_ad(connection, 3, "LIST", ends_at=NOW + 1, image=cover)


def lose_web(services: Services) -> None:
    (services.settings.web_dir / "index.html").unlink()


def go_back(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0002'"))


def go_ahead(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
        note_oldest_reader(connection, "9999")


def damage(services: Services) -> None:
    services.database.close()
    with closing(sqlite3.connect(services.data_dir / "liuying.db")) as connection:
        page = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'ix_video_list_new'"
        ).fetchone()[0]
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    with (services.data_dir / "liuying.db").open("r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        # An index's leaf without entries: well-formed, and without the rows of the table.
        file.write(bytes((0x0A, 0, 0, 0, 0, PAGE_BYTES >> 8, 0, 0)))


def overwrite(services: Services) -> None:
    services.database.close()
    for suffix in ("-wal", "-shm"):
        (services.data_dir / f"liuying.db{suffix}").unlink(missing_ok=True)
    (services.data_dir / "liuying.db").write_bytes(b"no database" * 1000)


def detach(services: Services) -> None:
    # Without our pragma, the driver does not look at foreign keys.
    with closing(sqlite3.connect(services.data_dir / "liuying.db")) as connection:
        connection.execute("UPDATE video SET category_id = 77")
        connection.commit()


def misnumber(services: Services) -> None:
    # As an older version's database may be, which let it happen.
    with services.database.write() as connection:
        connection.execute(sa.text("DROP TRIGGER video_number_update"))
        connection.execute(sa.delete(video_detail))  # Older versions had none.
        connection.execute(sa.update(video).values(id=2**31))
        reindex_videos(connection, [1, 2**31])
