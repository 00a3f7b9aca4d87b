"""`liuying site`: the site's name, texts, colours and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import AsJson, read_file, refuse_usage, show, tell
from liuying.features.site import service as sites
from liuying.features.site.rules import CHECKS, LOGO, SMALL_ICON, SiteIdentity
from liuying.workflows.site_identity import (
    ICON_FIELD,
    LOGO_FIELD,
    PICTURE_NAMES,
    change_identity,
    prepared,
)

app = typer.Typer(no_args_is_help=True, help="网站的名称、标语、颜色、图标和文案。")

NAMES = {**{field: name for field, (name, _) in CHECKS.items()}, "logo": "标志", "icon": "图标"}


@app.command("show")
def show_site(as_json: AsJson = False) -> None:
    """显示网站的名称和文案，没有设置过的是默认值。

    例：liuying site show
    """
    with existing_installation() as services, services.database.read() as connection:
        site = sites.read_identity(connection)
    show(_rows(site), {"field": "项目", "name": "名称", "value": "现值"}, as_json=as_json)


@app.command("set")
def set_site(
    name: Annotated[str | None, typer.Option(help="站名，最多 20 个字。")] = None,
    short_name: Annotated[str | None, typer.Option(help="装到桌面后图标下的短名。")] = None,
    slogan: Annotated[str | None, typer.Option(help="标语；空文字表示不显示。")] = None,
    description: Annotated[str | None, typer.Option(help="给搜索引擎和聊天软件的简介。")] = None,
    footer: Annotated[str | None, typer.Option(help="首页页脚，默认是站名和标语。")] = None,
    contact: Annotated[str | None, typer.Option(help="联系方式，显示在“我的”页面。")] = None,
    share_text: Annotated[str | None, typer.Option(help="分享卡片上标题下面的话。")] = None,
    theme_dark: Annotated[str | None, typer.Option(help="深色主题下浏览器栏的颜色。")] = None,
    theme_light: Annotated[str | None, typer.Option(help="浅色主题下浏览器栏的颜色。")] = None,
    url: Annotated[
        str | None,
        typer.Option(help="网站的来源，如 https://example.com；分享卡片和站点地图要用。"),
    ] = None,
    logo: Annotated[Path | None, typer.Option(help="标志：横的图片，代替站名的字样。")] = None,
    icon: Annotated[Path | None, typer.Option(help="图标：方的图片，至少 192 像素。")] = None,
    as_json: AsJson = False,
) -> None:
    """设置网站的名称、文案和图片；马上生效，不用重启。已经装到桌面的图标由浏览器自己更新。

    例：liuying site set --name 山海 --slogan 看山看海 --icon icon.png --url https://example.com
    """
    given = {
        "name": name,
        "short_name": short_name,
        "slogan": slogan,
        "description": description,
        "footer": footer,
        "contact": contact,
        "share_text": share_text,
        "theme_dark": theme_dark,
        "theme_light": theme_light,
        "url": url,
    }
    texts = {field: value for field, value in given.items() if value is not None}
    if not texts and logo is None and icon is None:
        refuse_usage("请写要设置的项目，例如 --name 山海")
    files = {LOGO_FIELD: logo, ICON_FIELD: icon}
    pictures = {field: read_file(path) for field, path in files.items() if path is not None}
    with installation() as services:
        change = prepared(services.database, texts, pictures)
        with services.database.write() as connection:
            site = change_identity(connection, change)
    tell(f"已更新网站「{site.name}」", _values(site), as_json=as_json)


@app.command("reset")
def reset_site(
    fields: Annotated[
        list[str], typer.Argument(metavar="项目…", help="项目，见 show；all 表示全部。")
    ],
    as_json: AsJson = False,
) -> None:
    """把项目改回默认值。

    例：liuying site reset slogan icon
    """
    wanted = list(NAMES) if fields == ["all"] else fields
    unknown = [field for field in wanted if field not in NAMES]
    if unknown:
        refuse_usage(f"没有项目「{unknown[0]}」；有 {'、'.join(NAMES)}")
    pictures = [name for field in wanted for name in PICTURE_NAMES.get(field, ())]
    with existing_installation() as services, services.database.write() as connection:
        sites.reset_texts(connection, [field for field in wanted if field in CHECKS])
        sites.set_pictures(connection, dict.fromkeys(pictures))
        site = sites.read_identity(connection)
    tell("已改回默认值", _values(site), as_json=as_json)


def _values(site: SiteIdentity) -> dict[str, object]:
    texts = {field: getattr(site, field) for field in CHECKS}
    return {**texts, LOGO_FIELD: site.picture(LOGO), ICON_FIELD: site.picture(SMALL_ICON)}


def _rows(site: SiteIdentity) -> list[dict[str, object]]:
    values = _values(site)
    return [{"field": field, "name": NAMES[field], "value": values[field]} for field in NAMES]
