"""Refusing to open an installation of which a part is lost.

Secrets and the database are created at the first start and never again: new ones beside the
remaining parts would replace those that can still be restored (docs/security.md#t34).
"""

from __future__ import annotations

import shlex
from pathlib import Path

from liuying.installation.object_store import open_object_store
from liuying.installation.settings import Settings
from liuying.kit.database import Database
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.object_keys import AREAS
from liuying.kit.object_store import ObjectStore
from liuying.kit.secret_fingerprints import fingerprints, foreign_secrets
from liuying.kit.secrets import (
    SecretFile,
    SecretsError,
    create_secrets,
    load_secrets,
    parse_secrets,
)
from liuying.workflows.queries.database import has_tables, holds_rows


class LostDatabaseError(Exception):
    """The database is missing or empty although files of an installation exist. The message says
    what to do, in Chinese.
    """


class NoInstallationError(Exception):
    """The settings lead to no installation. The message says where it was looked for, in
    Chinese.
    """


def require_installation(settings: Settings) -> None:
    """Refuse settings that lead to no installation, and write nothing. Whether a part of one is
    lost is found out by opening it.

    Raises:
        NoInstallationError: There are neither secrets nor a database nor files.
        ObjectStoreError: There is no database, and the bucket does not say whether it holds files.
    """
    layout = settings.layout
    # A restore that was killed is finished first; what cannot be a folder is said by opening it.
    begun = (layout.secrets, layout.moving_out, layout.moving_in)
    if settings.data_dir.is_file() or any(one.exists() for one in begun):
        return
    database = Database(settings.database)
    try:
        # Rows whose secrets are nowhere are of no use. A machine that is given the secrets need not
        # have a data folder yet.
        if (is_made(database) and (settings.secrets or settings.data_dir.exists())) or has_files(
            open_object_store(settings, database)
        ):
            return
    finally:
        database.close()
    raise NoInstallationError(
        f"数据文件夹 {settings.data_dir} 里没有流影的网站：请检查 LIUYING_DATA_DIR"
        + (" 和 LIUYING_DATABASE_URL" if settings.database_url else "")
        + "；要在这里新建，请先执行 liuying migrate 或 liuying serve"
    )


def secrets_of(settings: Settings, database: Database, objects: ObjectStore) -> SecretFile:
    """The installation's secrets, created if nothing of an installation exists yet.

    Raises:
        SecretsError: They are unusable, or missing although rows or files exist.
        LostDatabaseError: The database is lost.
    """
    if settings.secrets:
        if is_made(database) or not has_files(objects):
            return given_secrets(settings)
        raise LostDatabaseError(_lost_database(settings))
    path = settings.layout.secrets
    found = load_secrets(path, must_be_private=settings.production)
    if found is not None and is_made(database):
        return found  # Nothing is lost: a store that does not answer keeps nobody from starting.
    # Files first: somebody who starts at the same time creates secrets, then the database, then
    # files.
    is_filled = has_files(objects)
    has_database = is_made(database)
    if is_filled and not has_database:
        raise LostDatabaseError(_lost_database(settings))
    if found is None and (is_filled or (has_database and _has_rows(database))):
        found = load_secrets(path, must_be_private=settings.production)
        if found is None:
            raise SecretsError(_lost_secrets(settings, path))
    if found is None:
        return create_secrets(path)
    return found


def given_secrets(settings: Settings) -> SecretFile:
    """The secrets that the settings contain, the same on every machine; they are never created.

    Raises:
        SecretsError: They are unusable.
    """
    complaint = (
        "LIUYING_SECRETS 应为密钥文件 secrets.json 的内容，LIUYING_SECRETS_FILE 应为它的位置"
    )
    return parse_secrets(settings.secrets.encode(), complaint)


def require_own_secrets(
    settings: Settings, database: Database, hashes: KeyedHashes, secrets: SecretFile
) -> None:
    """Refuse secrets other than those of the database.

    Raises:
        SecretsError: At least one is different or missing.
    """
    if foreign := foreign_names(database, hashes, secrets):
        raise SecretsError(
            f"{settings.secrets_name} 不属于这个数据库（{'、'.join(foreign)} 不符）："
            f"请取回原来的密钥文件，例如从备份里：{restore_secrets(settings.data_dir)}，"
            "或检查 LIUYING_DATABASE_URL"
        )


def foreign_names(database: Database, hashes: KeyedHashes, secrets: SecretFile) -> list[str]:
    """Names of secrets that the database was used with and that are different or missing now."""
    if not is_made(database):
        return []
    with database.read() as connection:
        return foreign_secrets(connection, fingerprints(hashes, secrets.cover_keys))


def is_installed(database: Database, objects: ObjectStore) -> bool:
    """Whether rows or files of an installation exist."""
    return has_files(objects) or (is_made(database) and _has_rows(database))


def restore_secrets(data_dir: Path) -> str:
    """What takes the secrets out of a backup."""
    return f"tar -xf 备份.tar -C {shlex.quote(str(data_dir))} secrets.json"


def _lost_secrets(settings: Settings, path: Path) -> str:
    return (
        f"找不到密钥文件 {path}，而这里已有网站的数据。没有它，图片打不开，识别码和收藏认不出，"
        f"所以不会另建新的。请取回它，例如从备份里：{restore_secrets(settings.data_dir)}。"
        f"没有备份时只能重新开始：先移走 {settings.data_dir}"
        + ("" if not settings.database_url else "，并换一个空的数据库")
    )


def _lost_database(settings: Settings) -> str:
    return (
        f"数据文件夹 {settings.data_dir} 里有视频或图片，而数据库不在或是空的，所以不会另建空的。"
        "请检查 LIUYING_DATA_DIR 和 LIUYING_DATABASE_URL，或从备份恢复：liuying restore 备份.tar。"
        f"要重新开始，请先移走 {settings.data_dir}"
    )


def has_files(objects: ObjectStore) -> bool:
    """Whether any object is stored."""
    return any(next(iter(objects.objects(f"{area}/")), None) is not None for area in AREAS)


def is_made(database: Database) -> bool:
    """Whether a database has its tables. A file that is missing or empty is not even opened, which
    would create or change it.
    """
    file = database.file
    if file is not None and (not file.exists() or file.stat().st_size == 0):
        return False
    with database.read() as connection:
        return has_tables(connection)


def _has_rows(database: Database) -> bool:
    with database.read() as connection:
        return holds_rows(connection)
