"""Keeping the covers and files of gated videos as it must be, after a gate was set or lifted, a
video came, moved or got another cover (docs/product.md#age-gate).

Setting a gate withholds everything at once: answers go by the gate itself. What follows here is the
rest: covers are encrypted again under the gate's key, the former objects go, and files move behind
signed addresses. Lifting a gate opens videos one after the other: each is treated as gated until it
is open as a whole. All of it may be interrupted and repeated.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Protocol

from liuying.core.catalogue.queries import gating
from liuying.core.catalogue.queries.change_log import note_changed
from liuying.core.catalogue.rules import is_locked
from liuying.core.playback.queries import assets
from liuying.kit.database import AnyRow
from liuying.kit.encryption import (
    GATED_KEY,
    EncryptionError,
    ImageEncryptor,
    encrypted_name,
    encrypted_url,
)
from liuying.kit.object_keys import picture_key
from liuying.kit.object_store import ObjectStore, read_object
from liuying.workflows import protection
from liuying.workflows.job_folders import ImportBusyError
from liuying.workflows.pictures import forget_picture
from liuying.workflows.protection import LOCKING, OPENING, held, move_files, settle

LOG = logging.getLogger(__name__)
# Opened by one transaction: what is cached of lists goes once for all of them.
BATCH = 25
KEY_MARK = ";kid="


class Installation(protection.Installation, Protocol):
    """What sealing needs of an installation."""

    @property
    def encryptor(self) -> ImageEncryptor: ...


def settle_gates(installation: Installation) -> int:
    """Seal what is gated and open what is not. A video that is being imported waits.

    Returns:
        Number of videos that were sealed or opened.

    Raises:
        OSError: The store or the disk refused; the rest comes at the next call.
    """
    done = 0
    for is_wanted in (True, False):
        # Tried, and still as they were.
        left: set[int] = set()
        while ids := _unsettled(installation, left, is_wanted=is_wanted):
            if is_wanted:
                settled = {video_id for video_id in ids if _seal(installation, video_id)}
            else:
                settled = _open(installation, ids)
            done += len(settled)
            left |= set(ids) - settled
    return done


def _unsettled(
    installation: Installation, without: Collection[int], *, is_wanted: bool
) -> Sequence[int]:
    with installation.database.read() as connection:
        if not gating.has_gate(connection):
            return ()
        return gating.unsettled_ids(connection, is_wanted=is_wanted, without=without, limit=BATCH)


def _seal(installation: Installation, video_id: int) -> bool:
    """Seal a video; returns whether it is sealed as a whole now."""
    with installation.database.read() as connection:
        row = gating.sealing_row(connection, video_id)
    # Another process may have been faster.
    if row is None or not row.is_wanted or row.seal == gating.SEALED:
        return False
    objects = installation.objects
    cover = _encrypted_again(objects, installation.encryptor.under(GATED_KEY), row.cover)
    try:
        with ExitStack() as stack:
            moved = False
            if row.asset_key is not None and objects.media.is_split:
                stack.enter_context(held(installation.layout, row.asset_key))
                moved = move_files(objects, row.asset_key, *LOCKING)
            try:
                is_sealed = _write(installation, [(row, cover)], gating.SEALED) == [video_id]
            except BaseException:
                if moved:
                    move_files(objects, row.asset_key, *OPENING)
                raise
    except ImportBusyError:
        # Its files follow; nobody is told where they are meanwhile.
        is_sealed = False
        if cover != row.cover:
            _write(installation, [(row, cover)], gating.SEALED_IN_PART)
    if row.asset_key is not None:
        settle(installation, row.asset_key)  # It may have been moved or removed meanwhile.
    if cover != row.cover:
        forget_picture(installation.database, objects, row.cover)
    return is_sealed


def _open(installation: Installation, ids: Sequence[int]) -> set[int]:
    """Open videos again; those that are being imported wait. Returns those that were opened."""
    objects = installation.objects
    ready: list[tuple[AnyRow, dict[str, Any] | None]] = []
    with ExitStack() as stack:
        for video_id in ids:
            with installation.database.read() as connection:
                row = gating.sealing_row(connection, video_id)
            if row is None or row.is_wanted or row.seal == gating.OPEN:
                continue
            if row.asset_key is not None and objects.media.is_split:
                try:
                    stack.enter_context(held(installation.layout, row.asset_key))
                except ImportBusyError:
                    continue
            ready.append((row, _encrypted_again(objects, installation.encryptor, row.cover)))
        opened = set(_write(installation, ready, gating.OPEN))
        for row, _ in ready:
            is_open = row.id in opened and not is_locked(row.category_id)
            if is_open and row.asset_key is not None:
                move_files(objects, row.asset_key, *OPENING)
    for row, cover in ready:
        if row.asset_key is not None:
            settle(installation, row.asset_key)
        if cover != row.cover:
            forget_picture(installation.database, objects, row.cover)
    return opened


def _write(
    installation: Installation,
    ready: Sequence[tuple[AnyRow, dict[str, Any] | None]],
    seal: int,
) -> list[int]:
    """Note how videos are kept now, unless one of them has changed since it was read.

    Returns:
        The numbers of those that were noted.
    """
    written = []
    with installation.database.write() as connection:
        # In one order, so that of two processes neither waits for the other.
        for row, cover in sorted(ready, key=lambda one: int(one[0].id)):
            now = gating.sealing_row(connection, row.id, is_to_change=True)
            if now is None or _facts(now) != _facts(row):
                continue
            gating.write_seal(connection, row.id, seal, cover)
            if row.asset_key is not None and seal != gating.SEALED_IN_PART:
                is_protected = seal == gating.SEALED or is_locked(row.category_id)
                assets.update_asset(connection, row.asset_key, {"is_protected": is_protected})
            written.append(row.id)
        # Also after sealing: whoever asked when the gate had just ended saw an open video.
        if written:
            note_changed(connection, written)
            gating.note_gate_changed(connection)
    return written


def _facts(row: AnyRow) -> tuple[object, ...]:
    return row.category_id, row.asset_key, row.cover, row.seal, bool(row.is_wanted)


def _encrypted_again(
    objects: ObjectStore, encryptor: ImageEncryptor, cover: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    """A cover whose objects are encrypted with the encryptor's key, stored; the same one if they
    are already, or cannot be read.
    """
    if cover is None:
        return None
    plain_type, _, key_id = str(cover["type"]).partition(KEY_MARK)
    if _is_right(key_id, encryptor):
        return dict(cover)
    changed = dict(cover)
    try:
        for field in ("url", "jpeg"):
            if address := cover.get(field):
                sealed = read_object(objects, picture_key(encrypted_name(address)))
                plain = encryptor.open(sealed)
                changed[field] = encrypted_url(encryptor.store_image(objects, plain))
    except (FileNotFoundError, EncryptionError) as error:
        # Nobody can see it either.
        LOG.warning("a cover could not be encrypted again: %r", error)
        return dict(cover)
    changed["type"] = encryptor.media_type(plain_type)
    return changed


def _is_right(key_id: str, encryptor: ImageEncryptor) -> bool:
    """Whether a picture is encrypted as it should be. An older key of everybody's is as good as the
    current one.
    """
    is_gated = key_id == str(GATED_KEY)
    return is_gated == (encryptor.current == GATED_KEY)
