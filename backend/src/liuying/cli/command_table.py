"""The commands of `liuying`, each loaded when it is called: what the others need costs it nothing.

The table holds what the page of help says of a command, so that the page loads none of them.
`tests/cli/test_command_table.py` compares it with the commands themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.main import get_command

from liuying.cli.extensions import added_commands
from liuying.cli.usage import CommandContext, CommandGroup


class Entry(NamedTuple):
    """One command or group.

    Attributes:
        place: Module and attribute, with a colon between them.
        help: Its line on the page of help; None for a command that the page leaves out.
    """

    place: str
    help: str | None


COMMANDS = {
    "serve": Entry(
        "liuying.cli.installation:serve_command",
        "迁移数据库并启动网站，同时处理导入队列。地址由环境变量 HOST、PORT 决定。",
    ),
    "migrate": Entry(
        "liuying.cli.installation:migrate_command",
        "把数据库迁移到当前版本；可以重复执行，也可以中断。",
    ),
    "verify": Entry(
        "liuying.cli.verify:verify_command",
        "检查程序有没有被改动：对照签名的版本清单和第三方软件包的清单。",
    ),
    "setup": Entry(
        "liuying.cli.setup:setup_command",
        "一步步填写网站的设置：网址、HTTPS、存放、分类、广告；每一项以后都能改。",
    ),
    "openapi": Entry("liuying.cli.installation:openapi_command", "写出 OpenAPI 文档。"),
    "import": Entry(
        "liuying.cli.import_command:import_command",
        "导入视频。同一内容只导入一次；中断后再次执行会继续。",
    ),
    "worker": Entry(
        "liuying.cli.worker:worker_command",
        "处理导入队列；可以同时运行任意多个，也可以在别的机器上。",
    ),
    "run-imports": Entry("liuying.cli.worker:run_imports_command", None),
    "backup": Entry(
        "liuying.cli.backup:backup_command",
        "把数据库、密钥、封面、视频和保留的原文件写进一个文件；网站可以照常运行。",
    ),
    "restore": Entry(
        "liuying.cli.backup:restore_command",
        "用备份替换数据文件夹里的一切。先停止网站；校验全部通过之后才会替换。",
    ),
    "maintenance": Entry(
        "liuying.cli.maintenance:app", "到期的维护：定时备份和每天的体检；定时备份的时刻。"
    ),
    "move": Entry(
        "liuying.cli.move:move_command",
        "把整个网站搬到另一个数据库和另一个存放文件的地方；原来的不动。",
    ),
    "doctor": Entry(
        "liuying.cli.doctor:doctor_command",
        "检查整个安装：版本、转码程序、磁盘、设置、密钥、数据库、文件、导入、播放、广告。",
    ),
    "stats": Entry(
        "liuying.cli.stats:stats_command", "播放、收藏、分享、失败、占用空间。日期按 UTC。"
    ),
    "jobs": Entry("liuying.cli.jobs:app", "导入队列：查看、重试、取消、清理。"),
    "site": Entry("liuying.cli.site:app", "网站的名称、标语、颜色、图标和文案。"),
    "video": Entry("liuying.cli.videos:app", "查看、修改、隐藏、删除和恢复视频。"),
    "category": Entry("liuying.cli.categories:categories", "管理分类。"),
    "age-gate": Entry(
        "liuying.cli.age_gate:app", "确认年龄：整个网站的开关、文案；哪些分类需要确认。"
    ),
    "artist": Entry("liuying.cli.categories:artists", "管理艺人。"),
    "tag": Entry("liuying.cli.categories:tags", "管理标签。"),
    "topic": Entry("liuying.cli.topics:app", "管理专题。"),
    "ad": Entry("liuying.cli.ads:app", "管理广告：位置、时间窗口、权重。"),
    "banner": Entry("liuying.cli.banners:app", "管理轮播图上方的标签。"),
    "link": Entry("liuying.cli.links:app", "管理“我的”页面上的链接。"),
    "tab": Entry("liuying.cli.tabs:app", "管理底部的入口：名称、图标、次序、外部链接。"),
    "notice": Entry("liuying.cli.notices:app", "管理公告。"),
    "hot": Entry("liuying.cli.hot_words:app", "管理热搜词：置顶的组、屏蔽的词。"),
    "vendor": Entry(
        "liuying.cli.vendors:app",
        "管理合作方：谁可以内嵌本站，并为访客签发登录凭证。说明见 docs/embedding.md。",
    ),
    "feedback": Entry("liuying.cli.feedback:app", "查看、导出访客的反馈。"),
    "report": Entry("liuying.cli.reports:app", "处理访客对视频的举报。"),
    "removals": Entry(
        "liuying.cli.removals:app", "下架公示：公开的一页，列出永久下架的日期和原因。"
    ),
    "deploy": Entry(
        "liuying.cli.deploy:app",
        "写出配置：nginx、systemd，几台机器时还有数据库的各部分。步骤见 docs/operating.md。",
    ),
    "console": Entry(
        "liuying.cli.console:app", "控制台：打印一次性登录地址；启动控制台；查看和结束登录。"
    ),
    "webhook": Entry(
        "liuying.cli.webhook:app", "视频对许多访客播放失败时的通知（LIUYING_WEBHOOK_URL）。"
    ),
}


class LazyCommandGroup(CommandGroup):
    """The root: its commands are those of the table and of packages beside this one."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = dict.fromkeys([*COMMANDS, *added_commands()])  # type: ignore[assignment]  # loaded by get_command

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]  # Typer exports no class of commands
        """The command of this name, loaded; None where there is none."""
        if cmd_name not in self.commands:
            return None
        if self.commands[cmd_name] is None:
            self.commands[cmd_name] = load_command(cmd_name)
        return self.commands[cmd_name]

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]  # as above
        """Write the list of commands without loading those of the table."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines(ctx)))

    def _lines(self, ctx: typer.Context) -> Iterator[tuple[str, str]]:
        for name in self.commands:
            if (entry := COMMANDS.get(name)) is None:
                yield name, self.get_command(ctx, name).get_short_help_str()
            elif entry.help is not None:
                yield name, entry.help


def load_command(name: str) -> Any:
    """A command or group, ready to be called."""
    if name in COMMANDS:
        module, _, attribute = COMMANDS[name].place.partition(":")
        command = getattr(import_module(module), attribute)
    else:
        command = added_commands()[name].load()
    holder = typer.Typer(rich_markup_mode=None, add_completion=False, cls=CommandGroup)
    if isinstance(command, typer.Typer):
        holder.add_typer(command, name=name, cls=CommandGroup)
        return get_command(holder).commands[name]  # type: ignore[attr-defined]  # a group of one group
    holder.command(name)(command)
    loaded = get_command(holder)
    loaded.context_class = CommandContext
    return loaded
