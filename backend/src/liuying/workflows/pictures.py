"""Removing objects of encrypted pictures that no row shows any more, and withdrawing those that
nobody may see from this moment on.

An object is always stored before the row that shows it, and removed after that row. What a kill
leaves in between is swept later. Storing an existing object refreshes it (`kit/object_store.py`),
so that nobody removes what somebody else is about to show.

A withdrawn object leaves the store at once, however young it is. Its bytes stay in the database as
long as its video is in the bin, and at least as long as somebody else may still be about to show
the same picture, who then gets it back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress

import sqlalchemy as sa

from liuying.kit.database import Database
from liuying.kit.encryption import NAME_LENGTH, encrypted_name
from liuying.kit.object_keys import PICTURES, picture_key
from liuying.kit.object_store import ObjectStore, read_object
from liuying.workflows.queries.pictures import (
    addresses_of,
    give_back,
    is_shown,
    removed_addresses,
    shown_addresses,
    withdraw,
    withdrawn_content,
    withdrawn_names,
)

# Seconds for which an object without a row may still get one: within one command, and from any
# process.
FRESH_S = 60.0
GRACE_S = 86_400.0
# Up to so many names, each is looked for by itself.
FEW = 4
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
    names = names_of(picture)
    with database.read() as connection:
        unused = [name for name in names if not is_shown(connection, name)]
    for name in unused:
        objects.delete(picture_key(name), stored_before=objects.now() - FRESH_S)


def sweep_pictures(database: Database, objects: ObjectStore) -> int:
    """Remove every object older than a day that no row shows, and unfinished ones of that age.

    Returns:
        Number of removed objects.

    Raises:
        ForeignStoreError: No row shows any object of the store: it belongs to another database.
    """
    before = objects.now() - GRACE_S
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
    """Names of the objects of all pictures that rows show, without withdrawn ones."""
    removed = {encrypted_name(address) for address in removed_addresses(connection)}
    shown = {encrypted_name(address) for address in shown_addresses(connection)}
    return shown | (removed - withdrawn_names(connection).keys())


def names_of(picture: Mapping[str, str] | None) -> list[str]:
    """Names of a picture's objects.

    Args:
        picture: A column's value, an `EncryptedImage` as JSON.
    """
    return [encrypted_name(address) for address in addresses_of(picture)]


def read_pictures(objects: ObjectStore, names: Collection[str]) -> dict[str, bytes]:
    """The stored ones among some objects, by name, to be withdrawn."""
    found = {}
    for name in names:
        with suppress(FileNotFoundError):
            found[name] = read_object(objects, picture_key(name))
    return found


def read_picture(database: Database, objects: ObjectStore, name: str) -> bytes:
    """An object for operators, withdrawn or not.

    Raises:
        FileNotFoundError: It does not exist.
    """
    with database.read() as connection:
        content = withdrawn_content(connection, name)
    return content or read_object(objects, picture_key(name))


def settle_pictures(
    database: Database, objects: ObjectStore, names: Collection[str] | None = None
) -> None:
    """Take withdrawn objects out of the store, give those back that a row shows again, and forget
    what no removed video needs. Safe to repeat and to interrupt.

    Args:
        names: Those that a committed transaction withdrew; None for all, and then also for covers
            of removed videos that are not withdrawn yet.
    """
    if names is None:
        _withdraw_forgotten(database, objects)
    with database.read() as connection:
        withdrawn = withdrawn_names(connection, names)
        if not withdrawn:
            return
        shown = _shown_among(connection, withdrawn)
        removed = {encrypted_name(address) for address in removed_addresses(connection)}
    for name, withdrawn_at in sorted(withdrawn.items()):
        if name in shown:
            with database.read() as connection:
                content = withdrawn_content(connection, name)
            if content is not None:
                objects.put_if_absent(picture_key(name), content)
            _give_back(database, name, is_shown_again=True)
            continue
        fresh_since = objects.now() - FRESH_S
        # Whoever stored it after it was withdrawn may be about to show it.
        objects.delete(picture_key(name), stored_before=max(withdrawn_at / 1000, fresh_since))
        if name not in removed and withdrawn_at / 1000 < fresh_since:
            if (found := objects.open(picture_key(name))) is None:
                _give_back(database, name, is_shown_again=False)
            else:
                found.close()


def _withdraw_forgotten(database: Database, objects: ObjectStore) -> None:
    """Withdraw covers that an earlier version left in the store, or a change of the cover while its
    video was removed.
    """
    with database.read() as connection:
        removed = {encrypted_name(address) for address in removed_addresses(connection)}
        left = removed - withdrawn_names(connection).keys()
        left -= _shown_among(connection, left)
    if contents := read_pictures(objects, left):
        with database.write() as connection:
            withdraw(connection, contents, moment(objects))


def _give_back(database: Database, name: str, *, is_shown_again: bool) -> None:
    with database.write() as connection:
        if is_shown(connection, name) == is_shown_again:
            give_back(connection, name)


def _shown_among(connection: sa.Connection, names: Collection[str]) -> set[str]:
    if len(names) <= FEW:
        return {name for name in names if is_shown(connection, name)}
    return {encrypted_name(address) for address in shown_addresses(connection)} & set(names)


def moment(objects: ObjectStore) -> int:
    """Milliseconds since 1970 by the clock that stored objects are compared with."""
    return round(objects.now() * 1000)
