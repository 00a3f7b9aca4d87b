"""`liuying import` brings files, folders and lists of files into the catalogue, once or as long as
a folder is watched.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from liuying.cli.found_files import find_companions, items_below
from liuying.cli.output import EXIT_REFUSED, refuse_usage
from liuying.cli.watching import POLL_S, watch_folders
from liuying.kit.errors import InvalidInputError
from liuying.workflows.import_manifest import ImportChoices, read_manifest
from liuying.workflows.video_meta import GivenMeta, Published, explain

if TYPE_CHECKING:
    from liuying.workflows.import_run import ImportRun
    from liuying.workflows.import_services import ImportServices

MAX_NUMBER_LENGTH = 40


def import_command(
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="文件或文件夹", help="要导入的视频；文件夹会逐层查找。"),
    ] = None,
    category: Annotated[
        str | None, typer.Option(help="分类的名称或编号；新名称会建立新分类。")
    ] = None,
    title: Annotated[str | None, typer.Option(help="标题；只能用于单个文件。")] = None,
    label: Annotated[
        list[str] | None, typer.Option(help="标签；可以多次使用，取代文件旁写的。")
    ] = None,
    artist: Annotated[
        list[str] | None, typer.Option(help="艺人；可以多次使用，取代文件旁写的。")
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(help="清单：.csv（首行列名），或每行一个 JSON；file 一项是文件，相对于清单。"),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="只说会怎样，不导入。")] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="一直看着文件夹，文件写完就导入；Ctrl-C 或 SIGTERM 结束。"),
    ] = False,
    rest: Annotated[
        float, typer.Option(min=0.5, max=3600, help="--watch：大小和时间多少秒不变才算写完。")
    ] = 10.0,
    queue: Annotated[
        bool,
        typer.Option(
            "--queue", help="只放入队列，由网站或 liuying worker 在后台处理；见 liuying jobs。"
        ),
    ] = False,
    wait: Annotated[
        bool,
        typer.Option("--wait", help="--queue：等到这些文件的全部清晰度都做完，或失败。"),
    ] = False,
    keep_original: Annotated[
        bool | None,
        typer.Option(
            "--keep-original/--no-keep-original",
            help="是否把原文件留在数据文件夹里。默认 LIUYING_KEEP_ORIGINALS，即否。",
        ),
    ] = None,
    published: Annotated[
        Published,
        typer.Option(
            help="在“最新”里按哪个时间排序：now 导入的时间；source 来源写的首播或发布时间。"
        ),
    ] = Published.NOW,
    category_from_folder: Annotated[
        bool,
        typer.Option(
            "--category-from-folder", help="没有写分类的，用所在的第一层文件夹的名称作分类。"
        ),
    ] = False,
    accept_damaged: Annotated[
        bool,
        typer.Option("--accept-damaged", help="解码错误超过 5% 的帧也导入。"),
    ] = False,
    accept_match: Annotated[
        bool,
        typer.Option("--accept-match", help="画面与已下架的内容相同也导入。"),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="每个文件输出一行 JSON，供脚本使用。")
    ] = False,
) -> None:
    """导入视频。同一内容只导入一次；中断后再次执行会继续。

    视频旁边的同名文件会被读取：.json（title、category、labels、artists、description、
    premiered_at、chapters、created_at、updated_at、pageviews）、
    yt-dlp 的 .info.json 和 .description、Kodi 和 Jellyfin 的 .nfo，以及封面
    （同名或加 -poster、-thumb 的 jpg、png、webp）。
    次序：命令行、清单、.json、.info.json、.nfo、.description（只有简介）、文件名。

    退出码：0 全部完成；1 有文件被拒绝；2 用法有误。

    例：liuying import 旅行/ --category 旅行 --label 海边

    例：liuying import --manifest list.csv --dry-run

    例：liuying import 收件箱/ --watch --rest 30

    例：liuying import 旅行/ --queue
    """
    folders = sources or []
    _check_usage(folders, title, manifest, dry_run=dry_run, watch=watch, queue=queue, wait=wait)
    try:
        given = _given_meta(category, title, label, artist)
        items = [] if manifest is None else read_manifest(manifest)
    except msgspec.ValidationError as error:
        refuse_usage(f"参数有误：{explain(error)}")
    except InvalidInputError as error:
        refuse_usage(error.message)
    # What pictures and films need is loaded last: refusals do not wait for it.
    from liuying.cli.opening import opened_services
    from liuying.workflows.import_run import ImportRun

    with opened_services() as services:
        run = ImportRun(
            services,
            given,
            is_dry=dry_run,
            is_queued=queue,
            choices=ImportChoices(
                keeps_original=keep_original,
                accepts_damage=accept_damaged,
                accepts_match=accept_match,
                is_source_dated=published is Published.SOURCE,
            ),
            as_json=as_json,
            is_watched=watch,
        )
        if watch:
            watch_folders(run, folders, rest, by_folder=category_from_folder)
        else:
            run.refused = run.run([*items, *items_below(folders, by_folder=category_from_folder)])
            run.name_unused(path for source in folders for path in find_companions(source))
            if wait:
                run.refused += wait_for_jobs(services, run)
    if run.refused:
        raise typer.Exit(EXIT_REFUSED)


def wait_for_jobs(
    services: ImportServices,
    run: ImportRun,
    pause: Callable[[], None] = lambda: sleep(POLL_S),
) -> int:
    """Wait until every queued file is imported as a whole, or has failed; report each result.

    Args:
        pause: Passes the time between two looks.

    Returns:
        How many failed or were cancelled.
    """
    from liuying.core.jobs import service
    from liuying.core.jobs.rules import OPEN_STATES, State
    from liuying.workflows.job_causes import with_option

    failed, left = 0, dict.fromkeys(run.job_ids)
    while left:
        with services.database.read() as connection:
            found = [service.get_job(connection, one) for one in left]
        for job in found:
            if job.state not in OPEN_STATES:
                del left[job.id]
                failed += job.state is not State.DONE
                cause = with_option(job.cause, job.fault) or service.NAMES[job.state]
                run.report.say_ended(job.source, job.id, job.video_id, cause)
        if left:
            pause()
    return failed


def category_from_text(text: str) -> int | str:
    """What an option means by a category: its number, or its name."""
    # A name of so many digits is too long as well; parsing it as a number could take very long.
    return (
        int(text) if len(text) <= MAX_NUMBER_LENGTH and text.isascii() and text.isdigit() else text
    )


def _check_usage(
    sources: list[Path],
    title: str | None,
    manifest: Path | None,
    *,
    dry_run: bool,
    watch: bool,
    queue: bool,
    wait: bool,
) -> None:
    if not sources and manifest is None:
        refuse_usage("请写要导入的文件或文件夹，或用 --manifest 指定清单")
    if title is not None and (
        len(sources) != 1 or manifest is not None or not sources[0].is_file()
    ):
        refuse_usage("--title 只能用于单个文件")
    missing = [source for source in sources if not source.exists()]
    if missing:
        refuse_usage("找不到 " + "、".join(str(source) for source in missing))
    if wait and (not queue or watch):
        refuse_usage("--wait 只和 --queue 一起用；不排队的导入本来就做完才结束")
    if queue and dry_run:
        refuse_usage("--queue 不能和 --dry-run 一起用")
    if watch and (
        dry_run or manifest is not None or not all(source.is_dir() for source in sources)
    ):
        refuse_usage("--watch 只能用于文件夹，不能和 --manifest、--dry-run 一起用")


def _given_meta(
    category: str | None, title: str | None, labels: list[str] | None, artists: list[str] | None
) -> GivenMeta:
    values = {
        "title": title,
        "category": category if category is None else category_from_text(category),
        "labels": labels or None,  # an option that was not used is None or empty
        "artists": artists or None,
    }
    return msgspec.convert(values, GivenMeta)
