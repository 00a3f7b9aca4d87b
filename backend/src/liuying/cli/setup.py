"""`liuying setup`: the questions before a site opens. They end in the one file of settings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from liuying.cli.output import Yes, refuse, refuse_usage
from liuying.cli.packaged import SETTINGS_FILE
from liuying.kit.system_errors import reason_of

if TYPE_CHECKING:
    from liuying.installation.first_settings import Bucket, Tls

TLS_NAMES = {
    "nginx": "这台机器上的 nginx，证书由 certbot 取得",
    "proxy": "别处的代理或 CDN，已有证书",
    "none": "没有 HTTPS，只在内网用",
}
AD_WORDS = {"yes": True, "y": True, "是": True, "no": False, "n": False, "否": False}


def setup_command(
    address: Annotated[
        str | None, typer.Option(help="网址：域名；没有 HTTPS 时也可以是 IP:端口。")
    ] = None,
    tls: Annotated[str | None, typer.Option(help="HTTPS 由谁来做：nginx、proxy、none。")] = None,
    proxies: Annotated[
        str | None, typer.Option(help="proxy 时：代理的网段，几个用逗号分开。")
    ] = None,
    store: Annotated[
        str | None, typer.Option(help="视频和图片放在哪里：s3://桶，或空（数据文件夹）。")
    ] = None,
    s3_endpoint: Annotated[str | None, typer.Option(help="S3 服务的来源；空为亚马逊。")] = None,
    s3_region: Annotated[str | None, typer.Option(help="它的区域。")] = None,
    s3_access_key: Annotated[str | None, typer.Option(help="访问密钥的编号。")] = None,
    s3_secret_key_file: Annotated[
        Path | None, typer.Option(help="写着访问密钥的文件；不能写在命令里，别人看得到。")
    ] = None,
    category: Annotated[
        list[str] | None, typer.Option(help="要建立的分类，可以给几个；空为以后再建。")
    ] = None,
    ads: Annotated[str | None, typer.Option(help="是否显示广告：yes 或 no。")] = None,
    settings_file: Annotated[
        Path | None, typer.Option(help="写进这个文件；默认是安装包的，或这里的 liuying.env。")
    ] = None,
    yes: Yes = False,
) -> None:
    """一步步填写网站的设置：网址、HTTPS、存放、分类、广告；每一项以后都能改。

    没有给的选项会询问；不在终端里执行时都要给出。存放的地方会先写入并读出来试一次。
    写进设置文件的只有回答过的几项，其余的和您的注释保持不变；已有的值改变之前会询问。

    例：sudo liuying setup

    例：sudo liuying setup --address video.example.com --tls nginx --store "" --category 旅行
    --ads no
    """
    from liuying.cli.setting_up import carry_out
    from liuying.installation import first_settings as first
    from liuying.kit.setting_lines import SettingFileError, of_file

    path = settings_file or Path(os.environ.get(SETTINGS_FILE) or "liuying.env")
    try:
        present = of_file(path)
    except SettingFileError as error:
        refuse_usage(str(error))
    except OSError as error:
        refuse(f"{path} 无法读取：{reason_of(error)}")
    way = _tls(tls, present)
    site = _asked(
        "网址",
        address,
        present.get("LIUYING_SITE_URL", "") if tls is None else "",
        lambda text: first.read_address(text, way),
        "--address",
    )
    networks = (
        _asked(
            "代理的网段（几个用逗号分开）",
            proxies,
            present.get("LIUYING_TRUSTED_PROXIES", ""),
            first.read_networks,
            "--proxies",
        )
        if way == "proxy"
        else ""
    )
    place = _asked(
        "视频放在哪里（s3://桶，直接回车放在数据文件夹）",
        store,
        present.get("LIUYING_STORE", ""),
        first.read_store,
        "--store",
    )
    bucket = (
        _bucket(present, s3_endpoint, s3_region, s3_access_key, s3_secret_key_file)
        if place
        else first.Bucket()
    )
    names = _categories(category)
    shows_ads = _asked(
        "显示广告吗（yes/no）",
        ads,
        "no" if present.get("LIUYING_SHOW_ADS") == "false" else "yes",
        _yes_or_no,
        "--ads",
    )
    answers = first.Answers(
        address=site, tls=way, proxies=networks, store=place, bucket=bucket, shows_ads=shows_ads
    )
    carry_out(path, present, answers, names, is_agreed=yes)


def _asked(
    question: str, given: str | None, default: str, read: Callable[[str], Any], option: str
) -> Any:
    """An answer as `read` has it: the option's, or asked again until it is right."""
    from liuying.installation.first_settings import AnswerError

    if given is None and not sys.stdin.isatty():
        refuse_usage(f"缺少 {option}：不在终端里执行时，每一项都要给出")
    while True:
        text = (
            given
            if given is not None
            else typer.prompt(
                question, default=default, show_default=bool(default), prompt_suffix="："
            )
        )
        try:
            return read(text)
        except AnswerError as error:
            if given is not None:
                refuse_usage(f"{option}：{error}")
            typer.echo(str(error), err=True)


def _tls(given: str | None, present: dict[str, str]) -> Tls:
    from liuying.installation.first_settings import AnswerError

    def read(text: str) -> str:
        if text.strip() not in TLS_NAMES:
            raise AnswerError("应为 nginx、proxy、none 之一")
        return text.strip()

    if given is None and sys.stdin.isatty():
        typer.echo("HTTPS 由谁来做？")
        for name, text in TLS_NAMES.items():
            typer.echo(f"  {name:<6} {text}")
    is_plain = present.get("LIUYING_SITE_URL", "").startswith("http:")
    wanted: Tls = _asked("HTTPS", given, "none" if is_plain else "nginx", read, "--tls")
    return wanted


def _yes_or_no(text: str) -> bool:
    from liuying.installation.first_settings import AnswerError

    if text.strip().lower() not in AD_WORDS:
        raise AnswerError("应为 yes 或 no")
    return AD_WORDS[text.strip().lower()]


def _bucket(
    present: dict[str, str],
    endpoint: str | None,
    region: str | None,
    access_key: str | None,
    secret_key_file: Path | None,
) -> Bucket:
    from liuying.installation.first_settings import AnswerError, Bucket, read_endpoint

    def required(text: str) -> str:
        if not text.strip() or not text.strip().isprintable():
            raise AnswerError("这一项不能空着")
        return text.strip()

    def shown(name: str, default: str = "") -> str:
        return present.get(f"LIUYING_S3_{name}", default)

    where = _asked(
        "S3 服务的来源（直接回车是亚马逊）",
        endpoint,
        shown("ENDPOINT"),
        read_endpoint,
        "--s3-endpoint",
    )
    area = _asked("S3 的区域", region, shown("REGION", "us-east-1"), required, "--s3-region")
    key = _asked("访问密钥的编号", access_key, shown("ACCESS_KEY"), required, "--s3-access-key")
    if secret_key_file is not None:
        try:
            secret = secret_key_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            refuse_usage(f"{secret_key_file} 读不了")
    elif sys.stdin.isatty():
        kept = shown("SECRET_KEY")
        said = "访问密钥（输入时不显示" + ("，直接回车不变）" if kept else "）")
        secret = typer.prompt(
            said, default=kept or None, show_default=False, hide_input=True, prompt_suffix="："
        )
    else:
        refuse_usage("缺少 --s3-secret-key-file：不在终端里执行时，每一项都要给出")
    return Bucket(endpoint=where, region=area, access_key=key, secret_key=required(secret))


def _categories(given: list[str] | None) -> list[str]:
    if given is None and not sys.stdin.isatty():
        refuse_usage("缺少 --category（可以为空）：不在终端里执行时，每一项都要给出")
    texts = given
    if texts is None:
        said = "最初的分类（几个用逗号分开，直接回车以后再建）"
        texts = [typer.prompt(said, default="", show_default=False, prompt_suffix="：")]
    parts = [one.strip() for text in texts for one in text.replace("，", ",").split(",")]
    return list(dict.fromkeys(one for one in parts if one))
