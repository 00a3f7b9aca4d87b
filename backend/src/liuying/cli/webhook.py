"""`liuying webhook`: whether the operator's own receiver is reached."""

from __future__ import annotations

import typer

from liuying.cli.output import AsJson, refuse, refuse_usage, tell
from liuying.kit.clock import system_clock, to_iso

app = typer.Typer(
    no_args_is_help=True, help="视频对许多访客播放失败时的通知（LIUYING_WEBHOOK_URL）。"
)


@app.callback()
def _group() -> None:
    """A group of one command keeps the command's name."""


@app.command("test")
def try_command(as_json: AsJson = False) -> None:
    """送一个试验通知：event 为 test，签名和真的一样。

    退出码：0 对方回答 2xx；1 没有送达；2 没有设置或设置有误。

    例：LIUYING_WEBHOOK_URL=https://ops.example/hook LIUYING_WEBHOOK_SECRET=… liuying webhook test
    """
    from liuying.cli.opening import settings_or_exit
    from liuying.kit.webhook import WebhookError

    webhook = settings_or_exit().webhook
    if webhook is None:
        refuse_usage("没有设置 LIUYING_WEBHOOK_URL")
    now = system_clock()
    try:
        webhook.send(
            {"event": "test", "time": to_iso(now), "text": "这是一个试验通知", "videos": []}, now
        )
    except WebhookError as error:
        refuse(str(error))
    tell("已送达", {"delivered": True}, as_json=as_json)
