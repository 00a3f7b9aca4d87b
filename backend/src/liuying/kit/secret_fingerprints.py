"""Which secrets a database belongs to. Its hashes and encrypted values are meaningless without
them, so it is never used with others (docs/security.md#t34).

A fingerprint is keyed with the pepper and reveals nothing of a secret.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from liuying.kit.database import metadata
from liuying.kit.inserting import insert_if_absent
from liuying.kit.keyed_hashes import KeyedHashes

secret_fingerprint = sa.Table(
    "secret_fingerprint",
    metadata,
    sa.Column("name", sa.String(24), primary_key=True, comment="a field of secrets.json"),
    sa.Column("fingerprint", sa.String(32), nullable=False, comment="keyed, hexadecimal"),
)
FINGERPRINT_BYTES = 16


def fingerprints(hashes: KeyedHashes, cover_keys: Mapping[str, str]) -> dict[str, str]:
    """The fingerprints of an installation's secrets, by name.

    Args:
        hashes: Keyed with the pepper, which thereby gets a fingerprint too.
        cover_keys: Key id → key, as in `secrets.json`.
    """
    values = {"pepper": "", **{f"cover_keys[{one}]": key for one, key in cover_keys.items()}}
    return {
        name: hashes.digest("secret-fingerprint", name, value)[:FINGERPRINT_BYTES].hex()
        for name, value in values.items()
    }


def foreign_secrets(connection: sa.Connection, found: Mapping[str, str]) -> list[str]:
    """Names of secrets that the database was used with and that are different or missing now.

    Args:
        found: Fingerprints of the present secrets.

    Returns:
        Also nothing if the database has not noted any yet.
    """
    if not sa.inspect(connection).has_table(secret_fingerprint.name):
        return []
    noted = connection.execute(sa.select(secret_fingerprint)).all()
    return sorted(row.name for row in noted if found.get(row.name) != row.fingerprint)


def unnoted_secrets(connection: sa.Connection, found: Mapping[str, str]) -> dict[str, str]:
    """Fingerprints that the database has not noted yet."""
    noted = set(connection.execute(sa.select(secret_fingerprint.c.name)).scalars())
    return {name: one for name, one in found.items() if name not in noted}


def note_secrets(connection: sa.Connection, found: Mapping[str, str]) -> None:
    """Note fingerprints; existing ones stay as they are."""
    for name, fingerprint in found.items():
        values = {"name": name, "fingerprint": fingerprint}
        insert_if_absent(connection, secret_fingerprint, values)
