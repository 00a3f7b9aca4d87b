"""`liuying verify`: whether the installed program is what was released."""

from __future__ import annotations

from typing import Annotated

import typer

from liuying.cli.output import AsJson
from liuying.kit.terminal_text import json_text, printable

EXIT_TOUCHED = 1


def verify_command(
    thorough: Annotated[
        bool,
        typer.Option("--thorough", help="也把第三方软件包的编译文件与源文件比较，约一分钟。"),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """检查程序有没有被改动：对照签名的版本清单和第三方软件包的清单。

    编译文件与源文件比较；转码程序、网页和 Service Worker 都在内。不读数据，不改任何东西。

    退出码：0 没有改动；1 有改动（逐行列出）。

    例：liuying verify

    例：liuying verify --thorough
    """
    from liuying.installation.integrity.examination import PACKAGE, examine, release_of
    from liuying.installation.integrity.manifest import ManifestError

    findings = examine(is_thorough=thorough)
    if as_json:
        typer.echo(json_text(findings))
        raise typer.Exit(EXIT_TOUCHED if findings else 0)
    try:
        release = release_of()
    except ManifestError:
        release = None
    if release is None:
        typer.echo(f"{PACKAGE} 没有可信的版本清单（源码运行，或没有签名的构建），只查第三方软件包")
    else:
        manifest = release.manifest
        typer.echo(f"版本 {manifest.version}，{len(manifest.files)} 个文件，签名 {release.key}")
    for one in findings:
        typer.echo(f"✕ {printable(one.sentence)}")
    typer.echo(f"发现 {len(findings)} 处改动" if findings else "没有改动")
    raise typer.Exit(EXIT_TOUCHED if findings else 0)
