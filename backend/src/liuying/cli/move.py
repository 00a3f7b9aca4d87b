"""`liuying move`: to another database and another store of objects."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import sqlalchemy as sa
import typer

from liuying.cli.output import AsJson, Yes, confirm, read_text, refuse, refuse_usage, tell
from liuying.cli.progress import move_progress
from liuying.kit.errors import LiuyingError
from liuying.kit.system_errors import fault_of

if TYPE_CHECKING:
    from liuying.installation.services import Services
    from liuying.installation.settings import Settings


def move_command(
    target: Annotated[
        Path,
        typer.Option(
            "--to",
            metavar="文件",
            help="新地方的设置，每行一个 名称=值，例如 LIUYING_DATABASE_URL=…、LIUYING_STORE=…。",
        ),
    ],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """把整个网站搬到另一个数据库和另一个存放文件的地方；原来的不动。

    先停止网站和 liuying worker。每个文件按 SHA-256、每个表按全部行核对；中断后再次执行会继续。
    新地方应是空的。搬完用那份设置启动网站。

    退出码：0 搬完；1 没有搬成，原来的不变；2 用法或设置有误、未确认。

    例：liuying move --to 集群.env

    例：LIUYING_DATA_DIR=/srv/liuying liuying move --to 集群.env --yes
    """
    from liuying.cli.opening import installation_or_exit, settings_or_exit
    from liuying.installation.environment import SettingsError, read_settings
    from liuying.workflows.moving import move_installation

    settings = settings_or_exit()
    try:
        wanted = read_settings(_environment_of(target))
    except SettingsError as error:
        refuse_usage(f"{target}：{error}")
    if wanted.database == settings.database:
        refuse_usage(
            "两边是同一个数据库：请在 --to 的文件里写新的 LIUYING_DATABASE_URL 或 LIUYING_DATA_DIR"
        )
    installation_or_exit(settings)
    confirm("请确认网站和 liuying worker 都已停止。", is_agreed=yes)
    try:
        with _both_open(settings, wanted) as (source, into), move_progress() as reports:
            done = move_installation(source, into, wanted.layout.data_dir, *reports)
    except LiuyingError as error:
        refuse(error.message)
    except OSError as error:
        refuse(fault_of(error))
    except sa.exc.DataError:
        refuse("来源里有新数据库存不下的值，例如超出范围的时间；原来的不变")
    tell(
        f"已搬完：{done.files} 个文件，共 {done.bytes / 1e6:.1f} MB；{done.rows} 行",
        done,
        as_json=as_json,
    )


def _environment_of(path: Path) -> dict[str, str]:
    """The settings of a file as `EnvironmentFile` of systemd has them."""
    from liuying.kit.setting_lines import SettingFileError, parse

    try:
        return parse(read_text(path))
    except SettingFileError as error:
        refuse_usage(f"{path} 的{error}")


@contextmanager
def _both_open(settings: Settings, wanted: Settings) -> Iterator[tuple[Services, Services]]:
    """Both installations, each used by nobody else. The target is migrated, and has the same
    secrets.
    """
    # Names all tables, not only those of modules that this command needs: where the target is
    # migrated already, as after a kill, nothing else does, and their rows would be left out.
    import liuying.installation.tables  # noqa: F401  # imported for what it registers
    from liuying.installation.lost_parts import LostDatabaseError
    from liuying.installation.migrating import bring_up_to_date, migrate
    from liuying.installation.services import open_services
    from liuying.kit.files import OWNER_ONLY, atomic_write
    from liuying.kit.installation_lock import use_alone
    from liuying.kit.object_store import ObjectStoreError
    from liuying.kit.secrets import SecretsError, format_secrets

    with ExitStack() as held:
        held.enter_context(use_alone(settings.layout))
        if wanted.data_dir != settings.data_dir:
            held.enter_context(use_alone(wanted.layout))
        try:
            source = open_services(settings)
            held.callback(source.database.close)
            bring_up_to_date(source, may_migrate=False)
            if not wanted.secrets and not wanted.layout.secrets.exists():
                with atomic_write(wanted.layout.secrets, mode=OWNER_ONLY, replaces=False) as file:
                    file.write(format_secrets(source.secrets))
            into = open_services(wanted)
            held.callback(into.database.close)
        except (SecretsError, LostDatabaseError, ObjectStoreError) as error:
            refuse_usage(str(error))
        if into.secrets != source.secrets:
            refuse_usage("新地方的密钥与这里的不同：请用同一份 secrets.json，或去掉那边的")
        # Without a note of the secrets: that comes with the rows, and would make it no empty one.
        into.database.make_private()
        migrate(into.database)
        yield source, into
