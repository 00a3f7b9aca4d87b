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

    没有签名的构建，自己的文件也只对照安装时的清单：改动的人把清单也改了，就看不出来。

    编译文件与源文件比较；转码程序、网页和 Service Worker 都在内。不读数据，不改任何东西。

    退出码：0 没有改动；1 有改动（逐行列出）。

    例：liuying verify

    例：liuying verify --thorough
    """
    from liuying.installation.integrity.examination import examine

    findings = examine(is_thorough=thorough)
    if as_json:
        typer.echo(json_text(findings))
        raise typer.Exit(EXIT_TOUCHED if findings else 0)
    basis, is_signed = _basis()
    typer.echo(basis)
    for one in findings:
        typer.echo(f"✕ {printable(one.sentence)}")
    clean = "没有改动" if is_signed else "没有发现改动，但没有签名可以对照"
    typer.echo(f"发现 {len(findings)} 处改动" if findings else clean)
    raise typer.Exit(EXIT_TOUCHED if findings else 0)


def _basis() -> tuple[str, bool]:
    """What our own files are compared with, and whether somebody vouches for it."""
    from liuying.installation.integrity.examination import (
        is_unsigned_build,
        release_of,
    )
    from liuying.installation.integrity.manifest import ManifestError
    from liuying.installation.integrity.touched import PACKAGE

    try:
        release = release_of()
    except ManifestError:
        return f"{PACKAGE} 的版本清单不可信，只查第三方软件包", False
    if release is not None:
        manifest = release.manifest
        said = f"版本 {manifest.version}，{len(manifest.files)} 个文件，签名 {release.key}"
        return said, True
    if is_unsigned_build():
        return "没有签名的构建：自己的文件也只对照安装时的清单，清单被一起改了就看不出来", False
    return f"从源码运行（{PACKAGE}）：自己的文件没有清单，只查第三方软件包", False
