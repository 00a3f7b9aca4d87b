"""The command `liuying`. Options and exit codes stand here, the work elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liuying.cli import (
    ads,
    backup,
    categories,
    doctor,
    feedback,
    hot_words,
    jobs,
    links,
    notices,
    stats,
    tabs,
    topics,
    vendors,
    videos,
    webhook,
)
from liuying.cli.extensions import demo_is_needed, installed_commands
from liuying.cli.import_command import import_command
from liuying.cli.opening import opened_services
from liuying.cli.output import AsJson, refuse_usage, tell
from liuying.cli.usage import CommandGroup
from liuying.installation.services import Services
from liuying.installation.settings import MAX_WORKERS

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    help="流影：自建的手机视频站。",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command("serve")
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
    from liuying.cli.serving import ListenError, serve
    from liuying.workflows.protection import restore_protection

    with opened_services() as services:
        restore_protection(services)
        try:
            is_demo_wanted = demo and _is_demo_needed(services)
            serve(
                services, is_demo_wanted, services.settings.workers if workers is None else workers
            )
        except ListenError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(1) from error


@app.command("migrate")
def migrate_command(as_json: AsJson = False) -> None:
    """把数据库迁移到当前版本；可以重复执行，也可以中断。

    例：liuying migrate
    """
    from liuying.workflows.database_copy import revision_of

    with opened_services() as services:
        tell("数据库已是当前版本", {"revision": revision_of(services.database)}, as_json=as_json)


@app.command("openapi")
def openapi_command(
    target: Annotated[Path, typer.Argument(help="写入的文件。")],
    as_json: AsJson = False,
) -> None:
    """写出 OpenAPI 文档。

    例：liuying openapi contracts/openapi.json
    """
    from liuying.http.openapi_document import openapi_document

    size = target.write_bytes(openapi_document())
    if as_json:
        tell("", {"file": str(target), "bytes": size}, as_json=True)


app.command("import")(import_command)
app.command("worker")(jobs.worker_command)
app.command("run-imports", hidden=True)(jobs.run_imports_command)
app.command("backup")(backup.backup_command)
app.command("restore")(backup.restore_command)
app.command("doctor")(doctor.doctor_command)
app.command("stats")(stats.stats_command)
for name, group in (
    ("jobs", jobs.app),
    ("video", videos.app),
    ("category", categories.categories),
    ("artist", categories.artists),
    ("tag", categories.tags),
    ("topic", topics.app),
    ("ad", ads.ads_app),
    ("banner", ads.banners_app),
    ("link", links.app),
    ("tab", tabs.app),
    ("notice", notices.app),
    ("hot", hot_words.app),
    ("vendor", vendors.app),
    ("feedback", feedback.app),
    ("webhook", webhook.app),
):
    app.add_typer(group, name=name, cls=CommandGroup)
for name, command in installed_commands():
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name, cls=CommandGroup)
    else:
        app.command(name)(command)


def _is_demo_needed(services: Services) -> bool:
    is_needed = demo_is_needed()
    if is_needed is None:
        refuse_usage("没有安装演示目录：请先安装 liuying-demo，或去掉 --demo")
    return is_needed(services.database)
