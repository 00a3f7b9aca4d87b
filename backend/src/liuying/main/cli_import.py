"""`liuying import`: files and folders into the catalogue, with progress and one line for each refusal."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import msgspec
import typer

from liuying.kit.errors import LiuyingError
from liuying.workflows.import_progress import Progress, Stage
from liuying.workflows.import_video import ImportServices, Outcome, import_file
from liuying.workflows.video_meta import GivenMeta, explain, read_side_car

if TYPE_CHECKING:
    from rich.console import Console

LOG = logging.getLogger(__name__)
EXIT_REFUSED, EXIT_USAGE = 1, 2
LONGEST_NUMBER = 40
# What lies beside videos and is none: not worth a line of refusal.
COMPANIONS = frozenset(
    {".json", ".nfo", ".txt", ".md", ".srt", ".ass", ".ssa", ".vtt", ".jpg", ".jpeg", ".png", ".webp", ".part", ".url"}
)
OUTCOMES = {Outcome.IMPORTED: "已导入", Outcome.CONTINUED: "已继续完成", Outcome.KNOWN: "已存在，跳过"}
# The share of an import's time that is over when a stage begins, and how much the stage takes: for the bar alone.
STAGE_SHARES = {Stage.PROBE: (0.0, 0.05), Stage.LOW: (0.05, 0.25), Stage.COVER: (0.3, 0.05), Stage.LADDER: (0.35, 0.65)}


def import_command(
    sources: Annotated[list[Path], typer.Argument(metavar="文件或文件夹", help="要导入的视频；文件夹会逐层查找。")],
    category: Annotated[str | None, typer.Option(help="分类的名称或编号；新名称会建立新分类。")] = None,
    title: Annotated[str | None, typer.Option(help="标题；只能用于单个文件。")] = None,
    label: Annotated[list[str] | None, typer.Option(help="标签；可以多次使用。")] = None,
    artist: Annotated[list[str] | None, typer.Option(help="艺人；可以多次使用。")] = None,
) -> None:
    """导入视频。同一内容只导入一次；中断后再次执行会继续。

    视频旁边的同名 .json 可以写明 title、category、labels、artists、created_at、updated_at、pageviews。

    例：liuying import 旅行/ --category 旅行 --label 海边
    """
    from liuying.main.cli import opened_services

    if title is not None and (len(sources) != 1 or not sources[0].is_file()):
        _refuse_usage("--title 只能用于单个文件")
    missing = [source for source in sources if not source.exists()]
    if missing:
        _refuse_usage("找不到 " + "、".join(str(source) for source in missing))
    try:
        given = _given_meta(category, title, label, artist)
    except msgspec.ValidationError as error:
        _refuse_usage(f"参数有误：{explain(error)}")
    with opened_services() as services:
        refused = import_all(services, [found for source in sources for found in find_files(source)], given)
    if refused:
        raise typer.Exit(EXIT_REFUSED)


def import_all(services: ImportServices, files: list[Path], given: GivenMeta) -> int:
    """Import files one after the other; a refused one does not stop the others.

    Returns:
        How many were refused; 1 where there was nothing to import.
    """
    # Loaded here: help and refusals of usage do not wait for it.
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    if not files:
        console.print("没有找到可以导入的文件")
        return 1
    refused = 0
    for number, source in enumerate(files, 1):
        name = printable(source.name)
        place = f"[{number}/{len(files)}]"
        try:
            with _bar(console, f"{place} {name}") as report:
                result = import_file(services, source, read_side_car(source).overruled_by(given).to_meta(), report)
        except LiuyingError as error:
            refused += 1
            console.print(f"{place} 拒绝 {printable(str(source))}：{printable(error.message)}")
        except Exception:  # whatever it is, the files after this one are not to suffer
            refused += 1
            LOG.exception("importing %r", str(source))
            console.print(f"{place} 拒绝 {printable(str(source))}：程序出错，详情见错误输出")
        else:
            console.print(f"{place} {OUTCOMES[result.outcome]} {name}（编号 {result.video_id}）")
    if len(files) > 1:
        console.print(f"共 {len(files)} 个文件，拒绝 {refused} 个")
    return refused


def find_files(source: Path) -> Iterator[Path]:
    """A file itself; the files below a folder, sorted, without hidden ones, links and companions of videos."""
    if not source.is_dir():
        yield source
        return
    for parent, folders, names in os.walk(source):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            is_wanted = not name.startswith(".") and path.suffix.lower() not in COMPANIONS
            if is_wanted and path.is_file() and not path.is_symlink():
                yield path


def printable(text: str) -> str:
    """A name without signs that would move the cursor or colour the terminal."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def category_from_text(text: str) -> int | str:
    """What an option means by a category: its number, or its name."""
    # A name of so many digits is too long as well; to read it as a number would take time without end.
    return int(text) if len(text) <= LONGEST_NUMBER and text.isascii() and text.isdigit() else text


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


def _refuse_usage(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(EXIT_USAGE)


@contextmanager
def _bar(console: Console, text: str) -> Iterator[Progress]:
    """A bar that is there while its file is worked on; none where the output is no terminal."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Bars(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(text, total=1.0)

        def report(stage: Stage, share: float) -> None:
            begin, length = STAGE_SHARES[stage]
            bars.update(task, completed=begin + length * share, description=f"{text} {stage.value}")

        yield report
