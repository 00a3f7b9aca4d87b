"""`liuying serve`, `migrate` and `openapi`: what is done with the installation as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liuying.cli.extensions import demo_is_needed
from liuying.cli.opening import opened_services, store_or_exit
from liuying.cli.output import AsJson, refuse_usage, tell
from liuying.installation.services import Services
from liuying.installation.settings import MAX_WORKERS


def serve_command(
    demo: Annotated[bool, typer.Option("--demo", help="目录为空时，在后台导入演示目录。")] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MAX_WORKERS,
            help="同时处理队列里的几个文件；0 为不处理。默认 LIUYING_WORKERS，即 1。",
        ),
    ] = None,
) -> None:
    """迁移数据库并启动网站，同时处理导入队列。地址由环境变量 HOST、PORT 决定。

    例：PORT=9000 liuying serve

    例：liuying serve --workers 2
    """
    from liuying.cli.serving import serve
    from liuying.kit.listening import ListenError
    from liuying.workflows.protection import restore_places

    with opened_services(is_noted=False) as services:
        store_or_exit(services)
        restore_places(services)
        try:
            is_demo_wanted = demo and _is_demo_needed(services)
            serve(
                services, is_demo_wanted, services.settings.workers if workers is None else workers
            )
        except ListenError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(1) from error


def migrate_command(as_json: AsJson = False) -> None:
    """把数据库迁移到当前版本；可以重复执行，也可以中断。

    例：liuying migrate
    """
    from liuying.workflows.database_copy import revision_of

    with opened_services(is_migration=True, is_noted=False) as services:
        tell("数据库已是当前版本", {"revision": revision_of(services.database)}, as_json=as_json)


def openapi_command(
    target: Annotated[Path, typer.Argument(help="写入的文件。")],
    console: Annotated[bool, typer.Option("--console", help="控制台的，而不是网站的。")] = False,
    as_json: AsJson = False,
) -> None:
    """写出 OpenAPI 文档。

    例：liuying openapi contracts/openapi.json
    """
    from liuying.console import openapi_document as of_console
    from liuying.http import openapi_document as of_site

    document = (of_console if console else of_site).openapi_document()
    size = target.write_bytes(document)
    if as_json:
        tell("", {"file": str(target), "bytes": size}, as_json=True)


def _is_demo_needed(services: Services) -> bool:
    is_needed = demo_is_needed()
    if is_needed is None:
        refuse_usage("没有安装演示目录：请先安装 liuying-demo，或去掉 --demo")
    return is_needed(services.database)
