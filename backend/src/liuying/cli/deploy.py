"""`liuying deploy`: configurations for serving in public."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from liuying.cli.deploy_database import etcd_command, haproxy_command, patroni_command
from liuying.cli.output import AsJson, Yes, refuse_usage
from liuying.cli.written import Output, write_text

if TYPE_CHECKING:
    from liuying.installation.nginx_files import Site

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="写出配置：nginx、systemd，几台机器时还有数据库的各部分。步骤见 docs/operating.md。",
)


@app.command("nginx")
def nginx_command(
    domain: Annotated[str, typer.Option(help="网站的域名；不给则是任何域名，只有 HTTP。")] = "",
    certificate: Annotated[
        Path | None,
        typer.Option(help="证书（含证书链）。默认是 certbot 给这个域名的那一个。"),
    ] = None,
    key: Annotated[Path | None, typer.Option(help="证书的私钥。")] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="完整的 nginx.conf，而不只是站点的部分。")
    ] = False,
    application: Annotated[
        list[str] | None,
        typer.Option(
            help="网站进程的地址 主机:端口，可以给几个；默认是设置里的那一个（HOST、PORT）。"
        ),
    ] = None,
    cache: Annotated[
        Path, typer.Option(help="媒体在对象存储（S3）时，nginx 把缓存放在这个文件夹。")
    ] = Path("/var/cache/nginx/liuying"),
    cache_size: Annotated[str, typer.Option(help="缓存最多占多少，例如 50g 或 800m。")] = "50g",
    store_origin: Annotated[
        str,
        typer.Option(
            help="nginx 不签名读桶的地址，例如 http://127.0.0.1:8333，只有 nginx 能访问它时才给；"
            "不给就由网站的程序取来 nginx 还没有的部分。"
        ),
    ] = "",
    console_certificate: Annotated[
        Path | None,
        typer.Option(help="控制台的证书（含证书链）。默认是 certbot 给控制台的域名的那一个。"),
    ] = None,
    console_key: Annotated[Path | None, typer.Option(help="控制台的证书的私钥。")] = None,
    console_allow: Annotated[
        list[str] | None,
        typer.Option(
            help="可以打开控制台的网段，例如 VPN 的 10.8.0.0/24，可以给几个；默认只有本机。"
        ),
    ] = None,
    output: Output = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """写出 nginx 的站点配置，HTTP 或 HTTPS。

    设置了 LIUYING_CONSOLE_PORT 和 LIUYING_CONSOLE_ORIGIN=https://域名 时，另有控制台的一段：
    自己的域名和证书，只对 --console-allow 的网段开放。

    HTTPS 时有 HTTP/2、从 HTTP 转来、HSTS（LIUYING_HSTS_SECONDS）。
    证书还没有时，写出只有 HTTP 的配置，用它取得证书之后再执行一次。
    其他设置（数据文件夹、端口、每个网络的连接数）与网站相同，取自环境变量。

    例：liuying deploy nginx --domain video.example.com --output /etc/nginx/conf.d/liuying.conf
    """
    from liuying.cli.opening import settings_or_exit
    from liuying.installation.configuration import DeploymentError
    from liuying.installation.nginx_files import Site
    from liuying.installation.nginx_site import console_host, nginx_site, nginx_version, nginx_whole

    settings = settings_or_exit()
    name = console_host(settings)
    certificate, key = _certificate("", domain, certificate, key)
    console_certificate, console_key = _certificate(
        "console-", name, console_certificate, console_key
    )
    site = Site(
        domain=domain,
        certificate=certificate,
        key=key,
        applications=tuple(application or ()),
        cache=cache,
        cache_size=cache_size,
        store_origin=store_origin,
        console_certificate=console_certificate,
        console_key=console_key,
        console_networks=tuple(console_allow or ("127.0.0.1", "::1")),
    )
    try:
        text = nginx_site(settings, site, nginx_version())
    except DeploymentError as error:
        refuse_usage(str(error))
    write_text(nginx_whole(text) if whole else text, output, is_agreed=yes, as_json=as_json)
    if domain and certificate is None and not as_json:
        typer.echo(
            "还没有证书，所以只有 HTTP。让 nginx 重新加载，然后取得证书，再执行一次这个命令：\n"
            f"  mkdir -p {site.webroot}\n"
            f"  certbot certonly --webroot -w {site.webroot} -d {domain} "
            '--deploy-hook "systemctl reload nginx"',
            err=True,
        )
    if name and not as_json:
        _tell_of_console(name, site, is_allowed=bool(console_allow))


def _certificate(
    option: str, name: str, certificate: Path | None, key: Path | None
) -> tuple[Path | None, Path | None]:
    """The certificate of a name and its key: those given, or certbot's."""
    if (certificate is None) != (key is None):
        refuse_usage(f"--{option}certificate 和 --{option}key 要一起给")
    live = Path("/etc/letsencrypt/live") / name
    if certificate is None and name and (live / "fullchain.pem").exists():
        certificate, key = live / "fullchain.pem", live / "privkey.pem"
    for path in (certificate, key):
        if path is not None and not path.is_file():
            refuse_usage(f"找不到 {path}，或没有读取的权限")
    return certificate, key


def _tell_of_console(name: str, site: Site, *, is_allowed: bool) -> None:
    """What is missing before others than this machine open the console."""
    if site.console_certificate is None:
        typer.echo(
            f"控制台（{name}）还没有证书，现在打不开。"
            "让 nginx 重新加载，取得证书，再执行一次这个命令：\n"
            f"  certbot certonly --webroot -w {site.webroot} -d {name} "
            '--deploy-hook "systemctl reload nginx"\n'
            "或用 --console-certificate 和 --console-key 给出",
            err=True,
        )
    elif not is_allowed:
        typer.echo(
            "控制台只有本机能打开：用 --console-allow 放行 VPN 的网段，例如 10.8.0.0/24", err=True
        )


@app.command("systemd")
def systemd_command(
    domain: Annotated[str, typer.Option(help="网站的域名，写成 LIUYING_SITE_URL。")] = "",
    user: Annotated[str, typer.Option(help="以这个用户运行。")] = "liuying",
    worker: Annotated[
        bool, typer.Option("--worker", help="处理导入队列的单元（liuying worker），而不是网站。")
    ] = False,
    program: Annotated[
        Path | None, typer.Option(help="liuying 命令的完整路径；默认是正在执行的这一个。")
    ] = None,
    output: Output = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """写出 systemd 的单元：以自己的用户运行，崩溃后重启，只能写数据文件夹。

    现在的设置（环境变量）写进单元；数据库地址和密钥除外，它们放在 /etc/liuying.env，权限 640。

    例：LIUYING_DATA_DIR=/srv/liuying liuying deploy systemd --domain video.example.com
    --output /etc/systemd/system/liuying.service

    例：liuying deploy systemd --worker --output /etc/systemd/system/liuying-worker.service
    """
    from liuying.cli.opening import settings_or_exit
    from liuying.installation.configuration import DeploymentError
    from liuying.installation.public_environment import public_environment
    from liuying.installation.settings import SECRETS
    from liuying.installation.systemd_unit import systemd_unit

    settings = settings_or_exit()
    called = program or Path(sys.argv[0]).resolve()
    command = "worker" if worker else "serve"
    try:
        text = systemd_unit(settings, called, command, user, public_environment(settings, domain))
    except DeploymentError as error:
        refuse_usage(str(error))
    write_text(text, output, is_agreed=yes, as_json=as_json)
    left_out = [f"LIUYING_{one.upper()}" for one in SECRETS if getattr(settings, one)]
    if left_out and not as_json:
        names = "、".join(sorted(left_out))
        typer.echo(
            f"请写进 /etc/liuying.env（权限 640，归 root 和组 {user}）：{names}；"
            "也可以各写一个 …_FILE，是放着它的文件",
            err=True,
        )


app.command("etcd")(etcd_command)
app.command("patroni")(patroni_command)
app.command("haproxy")(haproxy_command)
