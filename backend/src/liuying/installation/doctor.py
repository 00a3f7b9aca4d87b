"""The part of `liuying doctor` that knows the settings and the machine; the rest is in
`workflows.doctor`.
"""

from __future__ import annotations

import ipaddress
import platform
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from liuying import __version__
from liuying.features.site.service import read_identity
from liuying.installation.connection_findings import examine_connections
from liuying.installation.integrity.examination import examine as examine_program
from liuying.installation.integrity.examination import is_unsigned_build
from liuying.installation.integrity.report import findings_of
from liuying.installation.lost_parts import has_files, is_made
from liuying.installation.migrating import known_revisions
from liuying.installation.object_store import open_object_store
from liuying.installation.secret_findings import examine_permissions, examine_secrets
from liuying.installation.settings import Settings
from liuying.kit.clock import DAY_MS, Clock, Milliseconds, to_iso
from liuying.kit.database import Database
from liuying.kit.database_errors import database_fault
from liuying.kit.object_store import ObjectStore
from liuying.kit.origins import is_loopback
from liuying.kit.system_errors import fault_of
from liuying.media.ffmpeg import ffmpeg_binary
from liuying.workflows.doctor.catalogue import examine_catalogue
from liuying.workflows.doctor.database import examine_database, examine_processes
from liuying.workflows.doctor.files import (
    examine_files,
    examine_layouts,
    examine_lengths,
    examine_originals,
    examine_orphans,
)
from liuying.workflows.doctor.findings import (
    Finding,
    Place,
    Remedy,
    error,
    info,
    some,
    warning,
)
from liuying.workflows.doctor.jobs import examine_jobs
from liuying.workflows.doctor.store import examine_records, examine_store
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.queries.integrity import integrity_rows

LITTLE_BYTES, LOW_BYTES = 1024**3, 5 * 1024**3
VERSION_TIMEOUT_S = 10
# A change of settings is told for so long.
TOLD_MS = 7 * DAY_MS
RESTORE = Remedy(
    "不是你改的，就当作被入侵：断开网络，保留现场，从可信的来源重新安装；数据另放，可以保留",
    commands=("liuying verify",),
)
# A wider network contains more than one's own proxies.
NARROWEST_IPV4, NARROWEST_IPV6 = 8, 32


def examine(settings: Settings, clock: Clock, *, is_quick: bool) -> Iterator[Finding]:
    """Examine everything, the most basic first. Nothing is changed or migrated.

    Args:
        is_quick: Whether media files need only exist.
    """
    yield info(
        "version", f"流影 {__version__}，Python {platform.python_version()}，{platform.platform()}"
    )
    if is_unsigned_build():
        yield info(
            "unsigned-build",
            "这是没有签名的构建：程序文件只对照安装时的清单，清单被一起改了就看不出来",
            Remedy("安装签名的版本；自己构建的，构建时用自己的私钥签名"),
        )
    yield from _transcoder()
    yield from _disk(settings.data_dir)
    yield from _settings(settings)
    yield from examine_connections(settings)
    if not is_quick:
        yield from _touched()
    if not (settings.web_dir / "index.html").is_file():
        yield error(
            "web",
            f"{settings.web_dir} 里没有网页",
            Remedy("重新安装；从源码运行就先构建；或改 LIUYING_WEB_DIR", commands=("make build",)),
        )
    database = Database(settings.database)
    objects = open_object_store(settings, database)
    try:
        yield from examine_secrets(settings, database, objects)
        if _is_absent(database):
            yield _no_database(objects)
            return
        yield from examine_permissions(database)
        yield from _installation(database, objects, settings, clock, is_quick=is_quick)
    finally:
        database.close()


def _installation(
    database: Database, objects: ObjectStore, settings: Settings, clock: Clock, *, is_quick: bool
) -> Iterator[Finding]:
    is_readable = True
    for finding in examine_database(database, known_revisions()):
        is_readable = is_readable and finding.topic not in {
            "database",
            "database-integrity",
            "migrations",
        }
        yield finding
    if not is_readable:
        return
    try:
        with database.read() as connection:
            imported_here = JobFolders(settings.layout.jobs).keys_at_work()
            yield from examine_catalogue(connection, clock(), imported_here)
            yield from _address(connection, settings)
            yield from examine_noted(connection, clock())
            yield from examine_processes(connection, clock())
            yield from examine_jobs(connection, clock())
            yield from examine_store(objects)
            yield from examine_files(connection, objects, is_quick=is_quick)
            if not is_quick:
                yield from examine_lengths(connection, objects)
                yield from examine_records(objects)
            yield from examine_layouts(connection)
            yield from examine_originals(connection, objects, is_wanted=settings.keep_originals)
            yield from examine_orphans(connection, settings.layout, objects)
    except (sa.exc.DBAPIError, OSError) as fault:
        cause = database_fault(fault) if isinstance(fault, sa.exc.DBAPIError) else fault_of(fault)
        yield error("database", f"检查中断：{cause}", Remedy("检查数据库和数据文件夹的权限"))


def _touched() -> Iterator[Finding]:
    found = examine_program()
    if found:
        yield error("touched", f"程序文件被改动：{some([one.told for one in found])}", RESTORE)


def examine_noted(connection: sa.Connection, now: Milliseconds) -> Iterator[Finding]:
    """What the machines' own checks of the program found. It reads a few rows."""
    for row in integrity_rows(connection):
        found = [one.told for one in findings_of(row)]
        if found:
            text = f"机器 {row.machine} 发现程序文件被改动：{some(found)}"
            yield error("touched-noted", text, RESTORE, at=to_iso(row.checked_at))
        changed_at = row.settings_changed_at
        if changed_at is not None and now - changed_at < TOLD_MS:
            names = some([f"LIUYING_{name.upper()}" for name in row.changed_settings])
            text = f"机器 {row.machine} 的设置变了：{names}"
            remedy = Remedy("不是你改的，就检查谁能登录这台机器")
            yield info("settings-changed", text, remedy, at=to_iso(changed_at))


def _address(connection: sa.Connection, settings: Settings) -> Iterator[Finding]:
    if not read_identity(connection).url and not settings.site_url.strip():
        yield info(
            "site-url",
            "没有设置网站的地址：分享的链接在聊天软件里没有图片，也没有站点地图",
            Remedy("写上网站的地址", Place.SITE, ("liuying site set --url https://域名",)),
        )


def _transcoder() -> Iterator[Finding]:
    remedy = Remedy("重新安装流影，或用 LIUYING_FFMPEG 指定程序")
    try:
        program = ffmpeg_binary()
    except RuntimeError:
        yield error("ffmpeg", "没有转码程序", remedy)
        return
    if shutil.which(program) is None:
        yield error("ffmpeg", f"无法启动转码程序 {program}", remedy)
        return
    try:
        command = [program, "-hide_banner", "-version"]
        said = subprocess.run(
            command, capture_output=True, text=True, timeout=VERSION_TIMEOUT_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        yield error("ffmpeg", f"转码程序 {program} 不能运行", remedy)
        return
    yield info("ffmpeg", said.partition("\n")[0].partition(" Copyright")[0])


def _disk(data_dir: Path) -> Iterator[Finding]:
    place = next(folder for folder in (data_dir, *data_dir.parents) if folder.exists())
    free, total = (usage := shutil.disk_usage(place)).free, usage.total
    sentence = f"{place} 所在的磁盘剩余 {free / 1024**3:.1f} GiB，共 {total / 1024**3:.1f} GiB"
    if free < LITTLE_BYTES:
        yield error(
            "disk-space",
            sentence,
            Remedy("清理磁盘；空间不足时导入会被拒绝，收藏和反馈也可能写不进去"),
        )
    elif free < LOW_BYTES:
        yield warning("disk-space", sentence, Remedy("尽快清理磁盘，或把数据文件夹移到更大的磁盘"))
    else:
        yield info("disk-space", sentence)


def _settings(settings: Settings) -> Iterator[Finding]:
    is_local = is_loopback(settings.host)
    trust = [one.strip() for one in settings.trusted_proxies.split(",") if one.strip()]
    if not is_local:
        yield warning(
            "no-tls",
            f"网站直接在 {settings.host} 上以 HTTP 提供服务，数据码会以明文传输",
            Remedy(
                "在前面放 nginx 提供 HTTPS，并让流影只监听 127.0.0.1",
                commands=("liuying deploy nginx",),
            ),
        )
        if not settings.production:
            yield warning(
                "production",
                "对外提供服务，但没有打开 LIUYING_PRODUCTION",
                Remedy("设置 LIUYING_PRODUCTION=true"),
            )
    if is_local and not trust:
        yield info(
            "proxies",
            "没有信任任何代理",
            Remedy("前面有代理时设置 LIUYING_TRUSTED_PROXIES，否则所有访客算作一个网络"),
        )
    if settings.metrics_port and not is_loopback(settings.metrics_host):
        yield warning(
            "metrics",
            f"指标在 {settings.metrics_host}:{settings.metrics_port} 上对外可读",
            Remedy("让 LIUYING_METRICS_HOST 为 127.0.0.1，或用防火墙只放行监控服务器"),
        )
    wide = [one for one in trust if _is_wide(one)]
    if wide:
        yield error(
            "trusted-proxies",
            f"LIUYING_TRUSTED_PROXIES 信任的范围过大：{'、'.join(wide)}，任何人都能伪造来源地址",
            Remedy("只写自己的代理的地址，例如 127.0.0.1"),
        )
    for name, address in (
        ("LIUYING_SITE_URL", settings.site_url),
        ("LIUYING_MEDIA_BASE", settings.media_base),
    ):
        parts = urlsplit(address)
        if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            yield warning("no-tls", f"{name} 是 http 地址：{address}", Remedy("改用 https"))


def _is_wide(network: str) -> bool:
    parsed = ipaddress.ip_network(network, strict=False)
    return parsed.prefixlen < (NARROWEST_IPV4 if parsed.version == 4 else NARROWEST_IPV6)


def _is_absent(database: Database) -> bool:
    try:
        return not is_made(database)
    except sa.exc.DBAPIError:  # There, and broken: the examination says how.
        return False


def _no_database(objects: ObjectStore) -> Finding:
    if has_files(objects):
        return error(
            "database",
            "数据库不在，而数据文件夹里有视频或图片",
            Remedy("检查 LIUYING_DATA_DIR，或从备份恢复", commands=("liuying restore 备份.tar",)),
        )
    remedy = Remedy("建立数据库，或启动网站", commands=("liuying migrate",))
    return error("database", "数据库还没有建立", remedy)
