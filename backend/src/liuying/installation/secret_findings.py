"""What `liuying doctor` finds about secrets, and about who may read the database."""

from __future__ import annotations

import base64
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from liuying.installation.lost_parts import (
    foreign_names,
    given_secrets,
    is_installed,
    restore_secrets,
)
from liuying.installation.settings import Settings
from liuying.kit.database import Database
from liuying.kit.files import OTHERS
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.object_store import ObjectStore
from liuying.kit.secrets import SecretFile, SecretsError, load_secrets
from liuying.kit.system_errors import reason_of
from liuying.workflows.doctor.findings import Finding, Remedy, error, info, warning


def examine_permissions(database: Database) -> Iterator[Finding]:
    """Who may read SQLite's file, which contains all rows and hashes of codes and addresses."""
    if database.file is None:
        return
    mode = stat.S_IMODE(database.file.stat().st_mode)
    if mode & OTHERS:
        yield warning(
            "database-permissions",
            f"数据库文件 {database.file} 的权限是 {mode:03o}，别的用户可以读取",
            Remedy(
                "只让网站的用户读取", commands=(f"chmod 600 {shlex.quote(str(database.file))}*",)
            ),
        )


def examine_secrets(
    settings: Settings, database: Database, objects: ObjectStore
) -> Iterator[Finding]:
    """Whether the secrets are there, usable, private and those of the database."""
    path = settings.layout.secrets
    remedy = Remedy(
        "取回它，例如从备份里；没有它，图片和收藏都无法找回",
        commands=(restore_secrets(settings.data_dir),),
    )
    try:
        found = given_secrets(settings) if settings.secrets else load_secrets(path)
    except SecretsError as fault:
        yield error("secrets", str(fault), remedy)
        return
    except OSError as fault:
        yield error("secrets", f"密钥文件 {path} 无法读取：{reason_of(fault)}", remedy)
        return
    try:
        if found is None:
            yield _no_secrets(path, database, objects, remedy)
            return
        yield from _foreign_secrets(settings.secrets_name, database, found, remedy)
    except sa.exc.DBAPIError:  # Faults of the database are reported below.
        if found is None:
            sentence = f"找不到密钥文件 {path}；数据库无法使用，不知道这里是否已有网站的数据"
            yield warning("secrets", sentence, remedy)
            return
    if not settings.secrets and (mode := stat.S_IMODE(path.stat().st_mode)) & OTHERS:
        yield warning(
            "secrets",
            f"密钥文件 {path} 的权限是 {mode:03o}，别的用户可以读取",
            Remedy("只让网站的用户读取", commands=(f"chmod 600 {shlex.quote(str(path))}",)),
        )


def _no_secrets(path: Path, database: Database, objects: ObjectStore, remedy: Remedy) -> Finding:
    if is_installed(database, objects):
        return error("secrets", f"找不到密钥文件 {path}，而这里已有网站的数据", remedy)
    return info("secrets", "密钥文件还没有建立，第一次启动时会生成")


def _foreign_secrets(
    name: str, database: Database, found: SecretFile, remedy: Remedy
) -> Iterator[Finding]:
    hashes = KeyedHashes(base64.b64decode(found.pepper))
    if names := foreign_names(database, hashes, found):
        yield error("secrets", f"{name} 不属于这个数据库（{'、'.join(names)} 不符）", remedy)
