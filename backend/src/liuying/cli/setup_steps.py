"""What an operator does after `liuying setup`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from liuying.installation.first_settings import Answers

# Where the Debian package has the settings, and the image.
PACKAGE, IMAGE = Path("/etc/liuying"), Path("/data")


def steps(path: Path, answers: Answers) -> list[str]:
    """Lines to read, and commands to type, in order."""
    host = urlsplit(answers.address).hostname or ""
    if path.parent == PACKAGE:
        return [
            "sudo systemctl restart liuying",
            *(_with_nginx(host) if answers.tls == "nginx" else _without(answers)),
            "sudo liuying doctor --quick",
            "控制台：sudo systemctl enable --now liuying-console，再 sudo liuying console",
            "演示目录不要了：sudo liuying demo remove",
        ]
    start = "重新启动容器" if path.parent == IMAGE else f"set -a; . {path}; set +a; liuying serve"
    is_own_nginx = answers.tls == "nginx" and path.parent != IMAGE
    then = _with_nginx(host) if is_own_nginx else _without(answers)
    return [start, *then, "liuying doctor --quick"]


def _with_nginx(host: str) -> list[str]:
    write = (
        f"sudo liuying deploy nginx --domain {host} --output /etc/nginx/conf.d/liuying.conf --yes"
    )
    reload = "sudo nginx -t && sudo systemctl reload nginx"
    return [
        f"{write} && {reload}",
        "sudo mkdir -p /var/www/liuying",
        f"sudo certbot certonly --webroot -w /var/www/liuying -d {host} "
        '--deploy-hook "systemctl reload nginx"',
        f"{write} && {reload}",
        "证书会一直续期之后，再在设置里打开 LIUYING_HSTS_SECONDS",
    ]


def _without(answers: Answers) -> list[str]:
    port = urlsplit(answers.address).port or 8000
    if answers.tls == "none":
        return [f"打开 {answers.address}/"]
    return [f"让代理把 {answers.address} 转到这台机器的 {port} 端口，然后打开 {answers.address}/"]
