"""`liuying vendor`: the partners that may show the site and vouch for visitors."""

from __future__ import annotations

import base64
from typing import Annotated

import msgspec
import sqlalchemy as sa
import typer

from liuying.cli.opening import existing_installation, installation
from liuying.cli.output import AsJson, Yes, confirm, refuse, refuse_usage, tell
from liuying.features.embedding import service
from liuying.features.embedding.rules import MAX_CODE_S, MAX_NAME_LENGTH
from liuying.features.embedding.schemas import Perks
from liuying.features.embedding.service import Vendor
from liuying.installation.services import Services
from liuying.installation.site_address import site_address
from liuying.kit.terminal_text import json_text, printable

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="管理合作方：谁可以内嵌本站，并为访客签发登录凭证。说明见 docs/embedding.md。",
)
VendorId = Annotated[str, typer.Argument(metavar="编号", help="2 到 32 个小写字母、数字或连字符。")]


@app.command("add")
def add_command(
    vendor_id: VendorId,
    name: Annotated[str, typer.Option(help="名称，只给运营者看。")],
    origin: Annotated[
        str,
        typer.Option(help="可以内嵌本站的来源，https://域名[:端口]；本机可用 http://localhost。"),
    ],
    ws_url: Annotated[str, typer.Option(help="wsUrl：wss:// 地址。")] = "",
    promo_url: Annotated[str, typer.Option(help="promoUrl：推广地址。")] = "",
    ad: Annotated[str, typer.Option(help="ad：广告地址。")] = "",
    activity: Annotated[str, typer.Option(help="activity：活动地址。")] = "",
    as_json: AsJson = False,
) -> None:
    """添加合作方，并生成它的签名密钥。

    例：liuying vendor add acme --name 艾克米 --origin https://acme.example
    """
    perks = _perks({"ws_url": ws_url, "promo_url": promo_url, "ad": ad, "activity": activity})
    with installation() as services, services.database.write() as connection:
        added = service.add_vendor(
            connection, services.hashes, vendor_id, name, origin, perks, services.clock()
        )
    sentence = f"已添加 {added.id}（{added.origin}）。取密钥：liuying vendor show-key {added.id}"
    tell(sentence, _shown(added), as_json=as_json)


@app.command("edit")
def edit_command(
    vendor_id: VendorId,
    name: Annotated[str | None, typer.Option(help="名称，只给运营者看。")] = None,
    origin: Annotated[
        str | None, typer.Option(help="可以内嵌本站的来源，https://域名[:端口]。")
    ] = None,
    ws_url: Annotated[str | None, typer.Option(help="wsUrl；空的就是没有。")] = None,
    promo_url: Annotated[str | None, typer.Option(help="promoUrl；空的就是没有。")] = None,
    ad: Annotated[str | None, typer.Option(help="ad；空的就是没有。")] = None,
    activity: Annotated[str | None, typer.Option(help="activity；空的就是没有。")] = None,
    as_json: AsJson = False,
) -> None:
    """修改合作方；没有写的保持不变。编号不能改，密钥和已登录的访客不受影响。

    例：liuying vendor edit acme --origin https://www.acme.example
    """
    links = {"ws_url": ws_url, "promo_url": promo_url, "ad": ad, "activity": activity}
    given = {key: value for key, value in links.items() if value is not None}
    if name is None and origin is None and not given:
        refuse_usage("请写要修改的：--name、--origin、--ws-url、--promo-url、--ad 或 --activity")
    with existing_installation() as services, services.database.write() as connection:
        before = service.get_vendor(connection, vendor_id)
        perks = _perks(msgspec.to_builtins(before.perks) | given) if given else None
        changes = service.VendorChanges(name=name, origin=origin, perks=perks)
        changed = service.edit_vendor(connection, vendor_id, changes)
    tell(f"已修改 {changed.id}（{changed.origin}）", _shown(changed), as_json=as_json)


@app.command("list")
def list_command(
    as_json: AsJson = False,
) -> None:
    """列出合作方，不显示密钥。

    例：liuying vendor list --json
    """
    with existing_installation() as services, services.database.read() as connection:
        vendors = service.list_vendors(connection)
    if as_json:
        typer.echo(json_text([_shown(one) for one in vendors]))
        return
    for one in vendors:
        typer.echo(
            f"{one.id}\t{printable(one.name)}\t{one.origin}\t{'启用' if one.is_active else '停用'}"
        )
    if not vendors:
        typer.echo("还没有合作方。添加：liuying vendor add --help")


@app.command("show-key")
def show_key_command(vendor_id: VendorId, as_json: AsJson = False) -> None:
    """显示签名密钥（base64，32 字节）。只交给合作方的服务器，不要放进网页。

    例：liuying vendor show-key acme
    """
    with existing_installation() as services, services.database.read() as connection:
        key = _signing_key(services, connection, vendor_id)
    tell(key, {"id": vendor_id, "key": key}, as_json=as_json)


@app.command("rotate-key")
def rotate_key_command(vendor_id: VendorId, yes: Yes = False, as_json: AsJson = False) -> None:
    """换一个签名密钥；旧密钥签发的凭证立刻失效，已登录的访客不受影响。

    例：liuying vendor rotate-key acme --yes
    """
    confirm(f"{vendor_id} 的旧密钥将立刻失效。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        service.rotate_key(connection, services.hashes, vendor_id)
        key = _signing_key(services, connection, vendor_id)
    tell(key, {"id": vendor_id, "key": key}, as_json=as_json)


@app.command("remove")
def remove_command(vendor_id: VendorId, yes: Yes = False, as_json: AsJson = False) -> None:
    """删除合作方：不再接受它的凭证，也不再允许它内嵌；已登录的访客最多还能用两小时。

    例：liuying vendor remove acme --yes
    """
    confirm(f"将删除合作方 {vendor_id} 和它的密钥。", is_agreed=yes)
    with existing_installation() as services, services.database.write() as connection:
        service.remove_vendor(connection, vendor_id)
    tell(f"已删除 {vendor_id}", {"id": vendor_id, "removed": True}, as_json=as_json)


@app.command("sign")
def sign_command(
    vendor_id: VendorId,
    user: Annotated[str, typer.Option(help="合作方那边的访客编号。")] = "test",
    cid: Annotated[str, typer.Option(help="渠道，可以为空。")] = "",
    as_json: AsJson = False,
) -> None:
    """签发一个试用的登录凭证：只能用一次，60 秒内有效。用来检查内嵌是否设置正确。

    例：liuying vendor sign acme --user u1001
    """
    if not user or not all(
        len(one) <= MAX_NAME_LENGTH and one.isprintable() for one in (user, cid)
    ):
        refuse_usage(f"--user 和 --cid 最多 {MAX_NAME_LENGTH} 个可显示的字符，--user 不能为空")
    with existing_installation() as services, services.database.read() as connection:
        partner = service.get_vendor(connection, vendor_id)
        key = service.get_signing_key(connection, services.hashes, vendor_id)
        code = service.sign_test_code(partner, key, user, cid, services.clock())
        site = site_address(services, connection)
    address = f"{site}/vendor?code={code}"
    tell(
        code,
        {"id": vendor_id, "code": code, "url": address, "seconds": MAX_CODE_S},
        as_json=as_json,
    )
    if not as_json:
        where = (
            "" if site else "（接在网站的地址后面；设置它：liuying site set --url https://域名）"
        )
        typer.echo(f"{MAX_CODE_S} 秒内打开：{address}{where}", err=True)


def _perks(given: dict[str, str]) -> Perks:
    """What visitors get, as typed; refuses in one line what is no link."""
    try:
        return msgspec.convert(given, Perks)
    except msgspec.ValidationError:
        refuse(
            "地址应以 http://、https:// 开头，--ws-url 应以 ws://、wss:// 开头，不含空格，最长 500 "
            "字"
        )


def _signing_key(services: Services, connection: sa.Connection, vendor_id: str) -> str:
    """A partner's key in the form that its server is given: base64."""
    key = service.get_signing_key(connection, services.hashes, vendor_id)
    return base64.b64encode(key).decode()


def _shown(vendor: Vendor) -> dict[str, object]:
    """What is shown of a partner."""
    return msgspec.to_builtins(vendor)  # type: ignore[no-any-return]  # a struct becomes a dictionary
