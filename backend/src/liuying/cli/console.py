"""`liuying console`: a one-time address of the operator's console, its sessions, and serving it."""

from __future__ import annotations

import os
import socket
from typing import Annotated

import typer

from liuying.cli.opening import (
    existing_installation,
    installation,
    opened_services,
    settings_or_exit,
    store_or_exit,
)
from liuying.cli.output import EXIT_USAGE, AsJson, local_time, refuse_usage, show, tell
from liuying.features.operators.rules import LINK_MS, ROLE_NAMES, Role
from liuying.installation.settings import Settings

app = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    help="控制台：打印一次性登录地址；启动控制台；查看和结束登录。",
)
BACKLOG = 128
ASKED_WITHIN_S = 1.0
HEADINGS = {
    "id": "编号",
    "name": "名字",
    "role": "角色",
    "seen_at": "最近使用",
    "device": "设备",
}


@app.callback()
def link_command(
    context: typer.Context,
    name: Annotated[str, typer.Option(help="登录后显示的名字，也写进操作记录。")] = "站长",
    role: Annotated[
        str, typer.Option(help="owner 全部、editor 内容、viewer 只看数据。")
    ] = Role.OWNER.value,
    as_json: AsJson = False,
) -> None:
    """控制台：打印一次性登录地址；启动控制台；查看和结束登录。

    地址只能用一次，五分钟内有效。登录以后可以登记通行密钥，以后不再需要它。

    例：liuying console

    例：liuying console --name 小王 --role editor
    """
    if context.invoked_subcommand is not None:
        return
    from liuying.features.audit.service import Entry
    from liuying.features.operators.rules import read_role
    from liuying.features.operators.service import create_link

    settings = settings_or_exit()
    if not settings.console_port:
        refuse_usage(
            "没有打开控制台：请设置 LIUYING_CONSOLE_PORT，并启动网站或 liuying console serve"
        )
    entry = Entry("link.create", name.strip(), after={"role": role})
    with installation(entry=entry) as services:
        wanted = read_role(role)
        with services.database.write() as connection:
            token = create_link(connection, services.hashes, name, wanted, services.clock())
    if not _is_running(settings):
        typer.echo(
            f"这台机器上没有控制台在 {settings.console_host}:{settings.console_port} 运行："
            "请先启动 liuying serve 或 liuying console serve，否则下面的地址打不开",
            err=True,
        )
    # Behind the `#`: browsers do not send it, so it is in no log on the way.
    address = f"{settings.console_address}/enter#{token}"
    minutes = LINK_MS // 60_000
    tell(
        f"{address}\n只能用一次，{minutes} 分钟内有效。",
        {"url": address, "name": name.strip(), "role": wanted.value, "minutes": minutes},
        as_json=as_json,
    )


def _is_running(settings: Settings) -> bool:
    """Whether somebody listens where the console does."""
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(  # noqa: S104 - not listened on
        settings.console_host, settings.console_host
    )
    try:
        socket.create_connection((host, settings.console_port), timeout=ASKED_WITHIN_S).close()
    except OSError:
        return False
    return True


@app.command("serve")
def serve_command(
    listener: Annotated[int | None, typer.Option(hidden=True, help="已经在监听的套接字。")] = None,
) -> None:
    """启动控制台。设置了 LIUYING_CONSOLE_PORT 时，liuying serve 会在旁边启动它。

    例：LIUYING_CONSOLE_PORT=9100 liuying console serve
    """
    from liuying.console.serving import serve_console
    from liuying.installation.json_logs import write_json_logs
    from liuying.kit.listening import ListenError, listen
    from liuying.kit.parent_process import end_with_parent

    if listener is not None:
        end_with_parent(os.getppid())
    settings = settings_or_exit()
    if not settings.console_port:
        refuse_usage("请设置 LIUYING_CONSOLE_PORT，例如 9100")
    with opened_services(is_noted=False) as services:
        store_or_exit(services)
        write_json_logs()
        try:
            held = (
                socket.socket(fileno=listener)
                if listener is not None
                else listen(settings.console_host, settings.console_port, BACKLOG)
            )
        except ListenError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(1) from error
        except OSError as error:
            typer.echo("--listener 不是套接字", err=True)
            raise typer.Exit(EXIT_USAGE) from error
        with held:
            typer.echo(f"流影控制台 {settings.console_address}/  （登录地址：liuying console）")
            serve_console(services, held)


@app.command("sessions")
def sessions_command(as_json: AsJson = False) -> None:
    """列出现在登录着的人。

    例：liuying console sessions
    """
    from liuying.features.operators.service import list_sessions

    with existing_installation() as services, services.database.read() as connection:
        found = list_sessions(connection, services.clock())
    rows = [
        {
            "id": one.id,
            "name": one.name,
            "role": one.role.value if as_json else ROLE_NAMES[one.role],
            "device": one.device,
            "seen_at": one.seen_at if as_json else local_time(one.seen_at),
        }
        for one in found
    ]
    show(rows, HEADINGS, as_json=as_json)


@app.command("end")
def end_command(
    session_id: Annotated[
        int, typer.Argument(metavar="编号", help="liuying console sessions 里的编号。")
    ],
    as_json: AsJson = False,
) -> None:
    """立刻结束一个登录。

    例：liuying console end 3
    """
    from liuying.features.audit.service import Entry
    from liuying.features.operators.service import end_session

    entry = Entry("session.revoke", f"登录 {session_id}")
    with existing_installation(entry=entry) as services, services.database.write() as connection:
        name = end_session(connection, session_id)
    tell(f"已结束 {name} 的登录", {"id": session_id, "removed": True}, as_json=as_json)
