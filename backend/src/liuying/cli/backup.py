"""`liuying backup` and `liuying restore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation
from liuying.cli.output import AsJson, Yes, confirm, local_time, refuse, refuse_usage, tell
from liuying.cli.progress import byte_progress
from liuying.kit.clock import system_clock
from liuying.kit.database import Database
from liuying.kit.errors import LiuyingError
from liuying.kit.object_store import RecordsObjects
from liuying.kit.system_errors import fault_of
from liuying.workflows.queries.database import is_empty

if TYPE_CHECKING:
    from liuying.installation.settings import Settings
    from liuying.workflows.backup_archive import About

SHOWN_MISSING = 5


def backup_command(
    target: Annotated[
        Path, typer.Argument(metavar="文件", help="写入的备份文件，例如 liuying.tar。")
    ],
    without_media: Annotated[
        bool, typer.Option("--without-media", help="不含视频文件；封面仍在内。")
    ] = False,
    without_originals: Annotated[
        bool, typer.Option("--without-originals", help="不含保留的原文件；--without-media 也不含。")
    ] = False,
    with_objects: Annotated[
        bool,
        typer.Option(
            "--with-objects",
            help="视频和图片在对象存储（S3）时，也把它们取下来写进备份；默认不取。",
        ),
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """把数据库、密钥、封面、视频和保留的原文件写进一个文件；网站可以照常运行。

    备份含有密钥，只有本人可读（600）。文件是 tar，末尾的清单有每个文件的 SHA-256。
    视频和图片在对象存储（S3）时，默认只备份数据库和密钥：桶请用它自己的版本或复制来保护。

    退出码：0 完整；1 没有写成，或有视频的文件找不到；2 用法有误或未确认。

    例：liuying backup /backup/liuying-2026-12-01.tar

    例：liuying backup daily.tar --without-media --yes
    """
    from liuying.workflows.backup import write_backup

    if target.is_dir() or not target.absolute().parent.is_dir():
        refuse_usage(f"{target} 不是文件，或所在的文件夹不存在")
    if target.exists():
        confirm(f"{target} 已存在，将被替换。", is_agreed=yes)
    with existing_installation() as services:
        is_elsewhere = isinstance(services.objects, RecordsObjects) and not with_objects
        try:
            with byte_progress("备份") as report:
                with_originals = not (without_media or without_originals or is_elsewhere)
                done = write_backup(
                    services,
                    target,
                    report,
                    with_media=not (without_media or is_elsewhere),
                    with_originals=with_originals,
                    with_pictures=not is_elsewhere,
                )
        except OSError as error:
            _refuse_system(error)
    record = {
        "file": str(target),
        "files": done.files,
        "bytes": done.bytes,
        "missing": done.missing,
        "objects": not is_elsewhere,
    }
    tell(
        f"已备份 {done.files} 个文件，共 {done.bytes / 1e6:.1f} MB：{target}",
        record,
        as_json=as_json,
    )
    if is_elsewhere and not as_json:
        typer.echo("视频、图片和原文件在对象存储里，没有写进备份；请另外保护那个桶", err=True)
    if done.missing:
        names = "、".join(done.missing[:SHOWN_MISSING])
        refuse(
            f"备份已写好，但有 {len(done.missing)} 个视频的文件找不到（备份期间被删除，或原本就缺）"
            f"：{names}"
        )


def restore_command(
    source: Annotated[Path, typer.Argument(metavar="文件", help="liuying backup 写的文件。")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """用备份替换数据文件夹里的一切。先停止网站；校验全部通过之后才会替换。

    原有的数据移到数据文件夹里的 .before-restore-…，确认无误后可以删除。
    不含视频的备份不动现有的视频。

    退出码：0 已恢复；1 备份有误、网站在运行或磁盘已满，原有数据不变；2 用法有误或未确认。

    例：liuying restore /backup/liuying-2026-12-01.tar

    例：LIUYING_DATA_DIR=/srv/new liuying restore daily.tar --yes
    """
    from liuying.cli.opening import settings_or_exit
    from liuying.installation.migrating import known_revisions
    from liuying.kit.installation_lock import use_alone
    from liuying.workflows.restore import finish_restore, restore_backup

    settings = settings_or_exit()
    if not source.is_file():
        refuse_usage(f"找不到备份 {source}")
    server = _server_of(settings)
    if not _is_empty(settings, server):
        confirm(f"{settings.data_dir} 里已有数据，将被备份替换。", is_agreed=yes)
    try:
        with use_alone(settings.layout), byte_progress("恢复", source.stat().st_size) as report:
            finish_restore(settings.layout, system_clock())
            about, old = restore_backup(
                settings.layout, server, source, known_revisions(), system_clock(), report
            )
    except LiuyingError as error:
        refuse(error.message)
    except OSError as error:
        _refuse_system(error)
    finally:
        if server is not None:
            server.close()
    _say_restored(about, old, as_json=as_json)


def _say_restored(about: About, old: Path | None, *, as_json: bool) -> None:
    record = {
        "created_at": about.created_at,
        "media": about.has_media,
        "old_data": old and str(old),
    }
    sentence = f"已恢复 {local_time(about.created_at)} 的备份" + (
        "" if about.has_media else "（不含视频文件）"
    )
    tell(sentence, record, as_json=as_json)
    if old is not None and not as_json:
        typer.echo(f"原有的数据在 {old}，确认无误后可以删除")


def _server_of(settings: Settings) -> Database | None:
    """The PostgreSQL database; None where it is the SQLite file of the data folder."""
    database = Database(settings.database)
    if not database.is_sqlite:
        return database
    if Path(database.engine.url.database or "") != settings.layout.database:
        refuse_usage(
            "LIUYING_DATABASE_URL 指向数据文件夹以外的 SQLite：请去掉它，或改 LIUYING_DATA_DIR"
        )
    return None


def _is_empty(settings: Settings, server: Database | None) -> bool:
    if not settings.layout.is_empty:
        return False
    if server is None:
        return True
    try:
        with server.read() as connection:
            return is_empty(connection)
    except sa.exc.OperationalError:
        refuse("无法连接数据库（LIUYING_DATABASE_URL）")


def _refuse_system(error: OSError) -> NoReturn:
    refuse(fault_of(error))
