"""What `liuying setup` asks, as settings: nothing in it that cannot be changed later."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from liuying.installation.nginx_files import ACCEL_PREFIX
from liuying.installation.nginx_site import DOMAIN
from liuying.installation.settings import ENDPOINT, STORE
from liuying.kit.system_errors import reason_of

Tls = Literal["nginx", "proxy", "none"]
LOWEST_PORT = 1024
TRIAL = b"liuying"


class AnswerError(ValueError):
    """An answer cannot be right. The message says why, in Chinese."""


class Bucket(msgspec.Struct, frozen=True):
    """Where a bucket is, and who asks it; empty for one of Amazon's."""

    endpoint: str = ""
    region: str = "us-east-1"
    access_key: str = ""
    secret_key: str = ""


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator answered.

    Attributes:
        address: The site's origin, as `read_address` has it.
        tls: Who ends TLS: nginx on this machine, another proxy, nobody.
        proxies: Networks of that other proxy.
        store: `s3://bucket`, or empty for the data folder.
        bucket: Of `store`.
        shows_ads: Whether advertisements are shown.
    """

    address: str
    tls: Tls
    proxies: str = ""
    store: str = ""
    bucket: Bucket = Bucket()
    shows_ads: bool = True


def read_address(text: str, tls: Tls) -> str:
    """The site's origin: `https://name`; without TLS also an IP address and a port.

    Raises:
        AnswerError: It is none.
    """
    bare = text.strip().removesuffix("/").lower()
    scheme, sign, rest = bare.partition("://")
    rest = rest if sign else bare
    if sign and scheme != ("http" if tls == "none" else "https"):
        raise AnswerError("网址与 HTTPS 的选择不一致：没有 HTTPS 时写 http://，有时写 https://")
    if tls != "none":
        if DOMAIN.fullmatch(rest) is None:
            raise AnswerError("有 HTTPS 时网址是一个域名，例如 video.example.com")
        return f"https://{rest}"
    try:
        split = urlsplit(f"http://{rest}")
        host, port = split.hostname or "", split.port
    except ValueError:
        raise AnswerError("网址的写法不对，例如 192.168.1.5:8000") from None
    if split.netloc != rest or not (_is_address(host) or DOMAIN.fullmatch(host)):
        raise AnswerError("网址的写法不对，例如 192.168.1.5:8000 或 video.example.com:8000")
    if port is not None and port < LOWEST_PORT:
        raise AnswerError(f"端口应为 {LOWEST_PORT} 到 65535：网站不以 root 运行")
    return f"http://{rest}" if port else f"http://{rest}:8000"


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def read_networks(text: str) -> str:
    """The networks of a proxy, separated by commas.

    Raises:
        AnswerError: One is none, or there is none.
    """
    parts = [one.strip() for one in re.split("[,，]", text) if one.strip()]
    try:
        networks = [str(ipaddress.ip_network(one, strict=False)) for one in parts]
    except ValueError:
        raise AnswerError("网段的写法不对，例如 10.0.0.0/8，几个用逗号分开") from None
    if not networks:
        raise AnswerError("请写明代理的网段，否则所有访客算作一个网络")
    return ",".join(networks)


def read_store(text: str) -> str:
    """A bucket, or nothing for the data folder.

    Raises:
        AnswerError: It is neither.
    """
    wanted = text.strip()
    if wanted and STORE.fullmatch(wanted) is None:
        raise AnswerError("存放的地方应为 s3://桶 或 s3://桶/前缀，或留空放在数据文件夹")
    return wanted


def read_endpoint(text: str) -> str:
    """The origin of an S3 service; nothing for Amazon's.

    Raises:
        AnswerError: It is none.
    """
    wanted = text.strip().removesuffix("/")
    if wanted and ENDPOINT.fullmatch(wanted) is None:
        raise AnswerError("S3 服务的来源应为 https://主机 或 http://主机:端口")
    return wanted


def values_of(answers: Answers) -> dict[str, str]:
    """The settings, by variable."""
    has_nginx = answers.tls == "nginx"
    port = urlsplit(answers.address).port if answers.tls == "none" else None
    values = {
        "LIUYING_SITE_URL": answers.address,
        "HOST": "127.0.0.1" if has_nginx else "0.0.0.0",  # noqa: S104 - as the operator chose
        "PORT": str(port or 8000),
        "LIUYING_TRUSTED_PROXIES": "127.0.0.1" if has_nginx else answers.proxies,
        "LIUYING_ACCEL_PREFIX": ACCEL_PREFIX if has_nginx and not answers.store else "",
        "LIUYING_PRODUCTION": "true",
        "LIUYING_SHOW_ADS": "true" if answers.shows_ads else "false",
        "LIUYING_STORE": answers.store,
    }
    if answers.store:
        bucket = answers.bucket
        values |= {
            "LIUYING_S3_ENDPOINT": bucket.endpoint,
            "LIUYING_S3_REGION": bucket.region,
            "LIUYING_S3_ACCESS_KEY": bucket.access_key,
            "LIUYING_S3_SECRET_KEY": bucket.secret_key,
        }
    return values


def try_folder(folder: Path) -> None:
    """Write into the data folder, and read it again.

    Raises:
        AnswerError: It cannot be used.
    """
    trial = folder / f".trial-{secrets.token_hex(8)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with trial.open("xb") as file:
            file.write(TRIAL)
            file.flush()
            os.fsync(file.fileno())
        is_same = trial.read_bytes() == TRIAL
        trial.unlink()
    except OSError as error:
        raise AnswerError(f"数据文件夹 {folder} 不能写入：{reason_of(error)}") from error
    if not is_same:
        raise AnswerError(f"数据文件夹 {folder} 读出的与写入的不同")
