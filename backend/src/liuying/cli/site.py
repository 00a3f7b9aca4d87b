"""`liuying site`: the site's name, texts, colours and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liuying.cli.opening import installation
from liuying.cli.output import AsJson, read_file, refuse_usage, show, tell
from liuying.features.site import service as sites
from liuying.features.site.rules import (
    CHECKS,
    FAVICON,
    ICON,
    ICONS,
    LOGO,
    MASKABLE,
    SMALL_ICON,
    TOUCH_ICON,
    SiteIdentity,
)
from liuying.media.cover import open_picture
from liuying.media.site_pictures import SAFE_PART, icon_pngs, logo_png

app = typer.Typer(no_args_is_help=True, help="网站的名称、标语、颜色、图标和文案。")

SIDES = {ICON: 512, SMALL_ICON: 192, MASKABLE: 512, TOUCH_ICON: 180, FAVICON: 48}
FILLED = {MASKABLE: SAFE_PART, TOUCH_ICON: 1.0}
LOGO_FIELD, ICON_FIELD = "logo", "icon"
NAMES = {**{field: name for field, (name, _) in CHECKS.items()}, "logo": "标志", "icon": "图标"}


@app.command("show")
def show_site(as_json: AsJson = False) -> None:
    """显示网站的名称和文案，没有设置过的是默认值。

    例：liuying site show
    """
    with installation() as services, services.database.read() as connection:
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
    with installation() as services:
        with services.database.read() as connection:
            ground = texts.get("theme_dark") or sites.read_identity(connection).theme_dark
        pictures: dict[str, bytes | None] = {}
        if logo is not None:
            pictures[LOGO] = logo_png(open_picture(read_file(logo)))
        with services.database.write() as connection:
            sites.set_texts(connection, texts)
            if icon is not None:
                pictures.update(icon_pngs(open_picture(read_file(icon)), ground, SIDES, FILLED))
            sites.set_pictures(connection, pictures)
            site = sites.read_identity(connection)
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
    pictures = [LOGO] * (LOGO_FIELD in wanted) + [*ICONS] * (ICON_FIELD in wanted)
    with installation() as services, services.database.write() as connection:
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
