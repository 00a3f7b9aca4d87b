"""Reading and writing the site's identity. Each function works inside the caller's transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import sqlalchemy as sa

from liuying.features.site import queries
from liuying.features.site.rules import CHECKS, SiteIdentity
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import InvalidInputError

DIGEST_LENGTH = 16


def read_identity(connection: sa.Connection) -> SiteIdentity:
    """What the site calls itself now."""
    known = {
        name: value for name, value in queries.all_settings(connection).items() if name in CHECKS
    }
    return SiteIdentity(**known, pictures=queries.picture_digests(connection))


def checked_texts(values: Mapping[str, str]) -> dict[str, str]:
    """Texts by field as they are kept.

    Raises:
        InvalidInputError: A value breaks its rule; names the field.
    """
    checked = {}
    for field, text in values.items():
        name, check = CHECKS[field]
        try:
            checked[field] = check(name, text)
        except InvalidInputError as error:
            raise InvalidInputError(error.message, field) from error
    return checked


def set_texts(connection: sa.Connection, values: Mapping[str, str]) -> None:
    """Set texts by field; one that equals its default is not kept, so that it follows the default.

    Args:
        values: As `checked_texts` gives them.
    """
    standard = SiteIdentity()
    kept = {
        field: None if value == getattr(standard, field) else value
        for field, value in values.items()
    }
    queries.replace_settings(connection, kept)
    record_change(connection, CacheTopic.CONFIG)


def reset_texts(connection: sa.Connection, fields: list[str]) -> None:
    """Take fields back to their defaults."""
    queries.replace_settings(connection, dict.fromkeys(fields))
    record_change(connection, CacheTopic.CONFIG)


def set_pictures(connection: sa.Connection, contents: Mapping[str, bytes | None]) -> None:
    """Write pictures (PNG) by name; None takes one back to the default."""
    rows = {
        name: None
        if content is None
        else (hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH], content)
        for name, content in contents.items()
    }
    queries.replace_pictures(connection, rows)
    record_change(connection, CacheTopic.CONFIG)
