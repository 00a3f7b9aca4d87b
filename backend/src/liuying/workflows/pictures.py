"""Removing objects of encrypted pictures that no row shows any more.

An object is always stored before the row that shows it, and removed after that row. What a kill
leaves in between is swept later. Storing an existing object refreshes it (`kit/object_store.py`),
so that nobody removes what somebody else is about to show.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

import sqlalchemy as sa

from liuying.kit.database import Database
from liuying.kit.encryption import NAME_LENGTH
from liuying.kit.object_keys import PICTURES, picture_key
from liuying.kit.object_store import ObjectStore
from liuying.workflows.queries.pictures import is_shown, shown_addresses

# Seconds for which an object without a row may still get one: within one command, and from any
# process.
FRESH_S = 60.0
GRACE_S = 86_400.0
OBJECT = re.compile(rf"{PICTURES}/[0-9a-f]{{2}}/[0-9a-f]{{{NAME_LENGTH}}}\.bin")


def forget_picture(
    database: Database, objects: ObjectStore, picture: Mapping[str, str] | None
) -> None:
    """Remove the objects of a picture that a committed transaction replaced, unless another row
    shows them.

    Args:
        picture: The former column value, an `EncryptedImage` as JSON.

    Raises:
        OSError: An object could not be removed; the sweep will try again.
    """
    names = [_name(address) for key in ("url", "jpeg") if (address := (picture or {}).get(key))]
    with database.read() as connection:
        unused = [name for name in names if not is_shown(connection, name)]
    for name in unused:
        objects.delete(picture_key(name), stored_before=time.time() - FRESH_S)


def sweep_pictures(database: Database, objects: ObjectStore) -> int:
    """Remove every object older than a day that no row shows, and unfinished ones of that age.

    Returns:
        Number of removed objects.

    Raises:
        ForeignStoreError: No row shows any object of the store: it belongs to another database.
    """
    before = time.time() - GRACE_S
    # In this order: a row that is written meanwhile shows a fresh object.
    found = {one.key: one.stored_at for one in objects.objects(f"{PICTURES}/")}
    with database.read() as connection:
        known = {picture_key(name) for name in shown_pictures(connection)}
    old = {key for key, stored_at in found.items() if stored_at < before}
    unknown = {key for key in old if OBJECT.fullmatch(key)} - known
    if unknown and known.isdisjoint(found):
        raise ForeignStoreError(f"none of {len(unknown)} objects is shown by the database")
    drafts = objects.delete_unfinished(f"{PICTURES}/", before)
    return drafts + sum(objects.delete(key, stored_before=before) for key in sorted(unknown))


class ForeignStoreError(Exception):
    """No row of the database shows any object of the store; nothing was removed."""


def shown_pictures(connection: sa.Connection) -> set[str]:
    """Names of the objects of all pictures that rows show."""
    return {_name(address) for address in shown_addresses(connection)}


def _name(address: str) -> str:
    return address.removeprefix("/enc/").removesuffix(".bin")
