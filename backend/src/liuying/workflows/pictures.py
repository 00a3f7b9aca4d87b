"""Objects of encrypted pictures that no row shows any more, and their removal.

An object is always stored before the row that shows it, and removed after the row that showed it.
What a kill leaves between the two is swept later. Storing an object that is there already makes it
fresh (`kit.files.write_once`), so that nobody removes what somebody else is about to show.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, category, video
from liuying.features.ads.tables import ad, app_link
from liuying.kit.database import Database
from liuying.kit.encryption import NAME_LENGTH
from liuying.kit.object_keys import picture_key
from liuying.kit.storage_layout import StorageLayout

# Every column that holds a encrypted picture: one that several rows show must stay while one of
# them does.
PICTURES = (video.c.cover, artist.c.image, category.c.icon, ad.c.image, app_link.c.image)
# Seconds for which an object without a row may still get one: from one command, and from whatever
# runs.
FRESH_S = 60.0
GRACE_S = 86_400.0
OBJECT = re.compile(rf"[0-9a-f]{{{NAME_LENGTH}}}\.bin")
# What a renamed object is called until it is gone; `write_once` begins its drafts with a dot, too.
GOING = ".{}.going"


def forget_picture(
    database: Database, layout: StorageLayout, picture: Mapping[str, str] | None
) -> None:
    """Remove the objects of a picture that a committed transaction has replaced, unless another row
    shows them.

    Args:
        picture: What the column held, a `EncryptedImage` as JSON.

    Raises:
        OSError: An object could not be removed; the sweep will try again.
    """
    names = [_name(address) for key in ("url", "jpeg") if (address := (picture or {}).get(key))]
    with database.read() as connection:
        unused = [name for name in names if not _is_shown(connection, name)]
    for name in unused:
        remove_object(object_path(layout, name), time.time() - FRESH_S)


def sweep_pictures(database: Database, layout: StorageLayout) -> int:
    """Remove every object older than a day that no row shows, and drafts of that age.

    Returns:
        How many objects and drafts were removed.

    Raises:
        ForeignFolderError: Not one of the folder's objects is shown: it belongs to another
            database.
    """
    before = time.time() - GRACE_S
    # In this order: a row that is written meanwhile shows an object that is fresh.
    found = {path.name: path for path in _files(layout.pictures)}
    old = {name: path for name, path in found.items() if _is_older(path, before)}
    with database.read() as connection:
        known = {f"{name}.bin" for name in shown_pictures(connection)}
    unknown = {name for name in old if OBJECT.fullmatch(name)} - known
    if unknown and known.isdisjoint(found):
        raise ForeignFolderError(f"none of {len(unknown)} objects is shown by the database")
    drafts = [path for name, path in old.items() if name.startswith(".")]
    for path in drafts:
        path.unlink(missing_ok=True)
    return len(drafts) + sum(remove_object(old[name], before) for name in sorted(unknown))


class ForeignFolderError(Exception):
    """No row of the database shows an object of the folder: nothing was removed."""


def _files(folder: Path) -> Iterator[Path]:
    for parent, _folders, names in os.walk(folder):
        yield from (Path(parent, name) for name in names)


def _is_older(path: Path, before: float) -> bool:
    try:
        return path.lstat().st_mtime < before
    except FileNotFoundError:
        return False


def object_path(layout: StorageLayout, name: str) -> Path:
    """Where the object of a name lies."""
    return layout.at(picture_key(name))


def remove_object(path: Path, before: float) -> bool:
    """Remove an object that was not stored since `before`.

    It is renamed first: whoever stores it from then on finds none and writes it anew; whoever did
    so just before made it fresh, and it is put back.

    Returns:
        Whether it is gone.
    """
    going = path.with_name(GOING.format(path.name))
    try:
        if not _is_older(path, before):
            return False
        path.rename(going)
        if _is_older(going, before):
            going.unlink()
            return True
        going.rename(path)
    except FileNotFoundError:  # another process sweeps, too
        return False
    return False


def _is_shown(connection: sa.Connection, name: str) -> bool:
    shown = sa.or_(
        *(sa.exists().where(sa.cast(column, sa.Text).contains(name)) for column in PICTURES)
    )
    return bool(connection.execute(sa.select(shown)).scalar())


def shown_pictures(connection: sa.Connection) -> set[str]:
    """Names of the objects of all pictures that rows show."""
    return {
        _name(picture[key])
        for column in PICTURES
        for picture in connection.execute(sa.select(column).where(column.is_not(None))).scalars()
        for key in ("url", "jpeg")
        if (picture or {}).get(key)
    }


def _name(address: str) -> str:
    return address.removeprefix("/enc/").removesuffix(".bin")
