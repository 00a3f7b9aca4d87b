"""`liuying deploy etcd | patroni | haproxy`: the database side of several machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from liuying.cli.output import AsJson, Yes, refuse_usage
from liuying.cli.written import Output, write_text

Name = Annotated[str, typer.Option(help="这台机器的名字，是 --member 里的一个。")]
Members = Annotated[
    list[str] | None,
    typer.Option("--member", help="每一台的名字和 IP 地址，例如 pg1=10.0.0.11；每台写一次。"),
]
Port = Annotated[int, typer.Option(help="PostgreSQL 的端口。")]
RestPort = Annotated[int, typer.Option(help="Patroni 的端口。")]
ClientPort = Annotated[int, typer.Option(help="etcd 给 Patroni 用的端口。")]


def etcd_command(
    name: Name = "",
    member: Members = None,
    client_port: ClientPort = 2379,
    peer_port: Annotated[int, typer.Option(help="etcd 彼此之间的端口。")] = 2380,
    certificates: Annotated[
        Path,
        typer.Option(help="证书的文件夹：ca.pem、cluster.pem、cluster.key，用户 etcd 读得到。"),
    ] = Path("/etc/etcd"),
    data_dir: Annotated[Path, typer.Option(help="etcd 的数据放在哪里。")] = Path(
        "/var/lib/etcd/liuying"
    ),
    existing: Annotated[
        bool, typer.Option("--existing", help="这台是换上来的，其他几台已在运行。")
    ] = False,
    output: Output = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """写出一台 etcd 的设置（环境变量）：彼此之间和对 Patroni 都要证书。

    例：liuying deploy etcd --name pg1 --member pg1=10.0.0.11 --member pg2=10.0.0.12
    --member pg3=10.0.0.13 --output /etc/default/etcd
    """
    from liuying.installation.configuration import DeploymentError
    from liuying.installation.database_files import etcd_environment
    from liuying.installation.database_members import read_members

    try:
        members = read_members(member or (), client_port=client_port, peer_port=peer_port)
        text = etcd_environment(name, members, certificates, data_dir, is_existing=existing)
    except DeploymentError as error:
        refuse_usage(str(error))
    write_text(text, output, is_agreed=yes, as_json=as_json)


def patroni_command(
    name: Name = "",
    member: Members = None,
    etcd: Annotated[
        list[str] | None,
        typer.Option(help="etcd 在别的机器上时，每一台的名字和 IP 地址；默认与 --member 相同。"),
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(help="网站和处理进程所在的网段，例如 10.0.0.0/24，可以给几个。"),
    ] = None,
    port: Port = 5432,
    rest_port: RestPort = 8008,
    client_port: ClientPort = 2379,
    certificates: Annotated[
        Path,
        typer.Option(
            help="证书的文件夹：ca.pem、cluster.pem、cluster.key，归 postgres，私钥 600。"
        ),
    ] = Path("/etc/patroni"),
    data_dir: Annotated[Path, typer.Option(help="PostgreSQL 的数据放在哪里。")] = Path(
        "/var/lib/postgresql/15/liuying"
    ),
    bin_dir: Annotated[Path, typer.Option(help="PostgreSQL 的程序在哪里。")] = Path(
        "/usr/lib/postgresql/15/bin"
    ),
    pgbackrest: Annotated[
        bool, typer.Option("--pgbackrest", help="用 pgBackRest 保存日志（archive_command）。")
    ] = False,
    unit: Annotated[
        bool, typer.Option("--unit", help="写 Patroni 的 systemd 单元，而不是它的配置。")
    ] = False,
    program: Annotated[Path, typer.Option(help="patroni 命令的完整路径，写进单元。")] = Path(
        "/opt/patroni/bin/patroni"
    ),
    output: Output = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """写出一台 Patroni 的配置（patroni.yml）：PostgreSQL 同步复制，到处是 TLS 和密码。

    文件里没有密码，所以可以给人看、可以放进版本库。Patroni 启动时从环境变量读它们：单元从
    /etc/patroni/passwords.env 取来，没有这个文件就不启动。

    例：liuying deploy patroni --name pg1 --member pg1=10.0.0.11 --member pg2=10.0.0.12
    --member pg3=10.0.0.13 --network 10.0.0.0/24 --output /etc/patroni/patroni.yml

    例：liuying deploy patroni --unit --output /etc/systemd/system/patroni.service
    """
    from liuying.installation.configuration import DeploymentError
    from liuying.installation.database_files import (
        ARCHIVE_COMMAND,
        PASSWORDS,
        PASSWORDS_FILE,
        Postgres,
        patroni_configuration,
        patroni_unit,
    )
    from liuying.installation.database_members import read_members, read_networks

    try:
        if unit:
            configuration = Path("/etc/patroni/patroni.yml")
            text = patroni_unit(program, configuration)
        else:
            ports = {"port": port, "rest_port": rest_port, "client_port": client_port}
            members = read_members(member or (), **ports)
            postgres = Postgres(
                members=members,
                etcd=read_members(etcd, "--etcd", **ports) if etcd else members,
                networks=read_networks(network or ()),
                certificates=certificates,
                data_dir=data_dir,
                bin_dir=bin_dir,
                archive_command=ARCHIVE_COMMAND if pgbackrest else "",
            )
            text = patroni_configuration(name, postgres)
    except DeploymentError as error:
        refuse_usage(str(error))
    write_text(text, output, is_agreed=yes, as_json=as_json)
    if not as_json and not unit:
        names = "、".join(PASSWORDS)
        typer.echo(
            f"密码请写进 {PASSWORDS_FILE}（归 postgres，权限 600，每台相同）：{names}", err=True
        )
        if not network:
            typer.echo("没有给 --network：现在只有这几台自己能用数据库", err=True)


def haproxy_command(
    member: Members = None,
    port: Port = 5432,
    rest_port: RestPort = 8008,
    listen: Annotated[
        str, typer.Option(help="HAProxy 在哪里监听；LIUYING_DATABASE_URL 写这个地址。")
    ] = "127.0.0.1:5432",
    authority: Annotated[
        Path, typer.Option(help="各台的证书由谁签发：ca.pem，用来核对 Patroni 的证书。")
    ] = Path("/etc/haproxy/ca.pem"),
    output: Output = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """写出 HAProxy 的配置：每个网站和处理进程旁边一个，总是通向现在的主库。

    例：liuying deploy haproxy --member pg1=10.0.0.11 --member pg2=10.0.0.12
    --member pg3=10.0.0.13 --output /etc/haproxy/haproxy.cfg --yes
    """
    from liuying.installation.configuration import DeploymentError
    from liuying.installation.database_files import haproxy_configuration
    from liuying.installation.database_members import read_listener, read_members

    try:
        members = read_members(member or (), port=port, rest_port=rest_port)
        text = haproxy_configuration(members, read_listener(listen), authority)
    except DeploymentError as error:
        refuse_usage(str(error))
    write_text(text, output, is_agreed=yes, as_json=as_json)
