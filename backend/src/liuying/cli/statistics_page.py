"""The operator's report as one HTML file: charts as inline SVG, nothing loaded from anywhere, light
and dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from liuying.pages.statistics import Count, Statistics, VideoCount, VideoHealth
from liuying.workflows.storage import Stored

# Of a chart's own units; it is drawn as wide as there is room, so that only its texts, outside of
# it, keep their size.
WIDTH, HEIGHT = 1000, 100
GAP_SHARE = 0.28
# `--s0` and so on.
COLOURS = 10

STYLE = """
:root{color-scheme:light dark;--page:#f5f6f8;--surface:#fff;--line:rgb(21 23 28/.1);--text:#15171c;
--dim:#5c6068;
--bar:#e0483d;--bar2:#3b6fd4;--bar3:#12794a;--track:rgb(21 23 28/.06);--bad:#c22a20;
--s0:#f3b1ab;--s1:#ec7d74;--s2:#e0483d;--s3:#a92d24;--s4:#5f6b85;--s5:#94a0ba;--s6:#c3cad9;
--s7:#dfe3ec;
--s8:#8a6d1f;--s9:#d9b95c}
@media(prefers-color-scheme:dark){:root{--page:#0f1014;--surface:#181a20;
--line:rgb(243 244 246/.1);--text:#f3f4f6;
--dim:#a3a7b0;--bar:#ff5a4e;--bar2:#6f9bff;--bar3:#3fca86;--track:rgb(243 244 246/.07);
--bad:#ff6f63;
--s0:#7a2f2a;--s1:#b0423a;--s2:#ff5a4e;--s3:#ff9c94;--s4:#8f9bb5;--s5:#6b7690;--s6:#4b546a;
--s7:#353c4d;
--s8:#d9b95c;--s9:#8a6d1f}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);
font:15px/1.5 system-ui,"PingFang SC","Microsoft YaHei",
"Noto Sans CJK SC",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:1080px;margin:0 auto;padding:28px 16px 48px}
h1{font-size:24px;margin:0}h2{font-size:16px;margin:0 0 12px}
header p{margin:2px 0 20px;color:var(--dim)}
.tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;margin-bottom:16px}
@media(max-width:640px){.tiles{grid-template-columns:1fr 1fr}}
.tile,section{background:var(--surface);border:1px solid var(--line);border-radius:12px}
.tile{padding:12px 14px}.tile b{display:block;font-size:22px;line-height:1.25;
font-variant-numeric:tabular-nums}
.tile span{color:var(--dim);font-size:13px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:16px}
section{padding:16px;margin-bottom:16px;min-width:0}.pair section{margin:0}.pair{margin-bottom:16px}
svg{display:block;width:100%;height:132px;border-bottom:1px solid var(--line)}
.axis{display:flex;justify-content:space-between;color:var(--dim);font-size:12px;
font-variant-numeric:tabular-nums;
margin-top:4px}.peak{color:var(--dim);font-size:12px;margin:-8px 0 8px}
rect.b{fill:var(--bar)}rect.b2{fill:var(--bar2)}rect.b3{fill:var(--bar3)}
ol,ul{list-style:none;margin:0;padding:0}li{margin:0 0 10px}
.row{display:flex;justify-content:space-between;gap:12px}.row span:first-child{overflow:hidden;
text-overflow:ellipsis;
white-space:nowrap}.row b{font-weight:600;font-variant-numeric:tabular-nums}
.meter{height:6px;border-radius:3px;background:var(--track);overflow:hidden;margin-top:4px}
.meter i{display:block;height:100%;border-radius:3px;background:var(--bar)}
.meter i.b3{background:var(--bar3)}
.stack{display:flex;gap:2px;height:20px;border-radius:6px;overflow:hidden;margin-bottom:12px}
.stack i{min-width:2px}
.key{display:grid;grid-template-columns:repeat(auto-fill,minmax(170px,1fr));gap:6px 20px}
.key li{margin:0}.dot{display:inline-block;width:10px;height:10px;border-radius:3px;
margin-right:8px}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:6px 8px;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--dim);font-weight:500;font-size:13px}th:nth-child(2),td:nth-child(2){text-align:left;
white-space:normal;
min-width:140px}tr:last-child td{border:0}.bad{color:var(--bad);font-weight:600}
.none{color:var(--dim);margin:0}
""".replace("\n", "")


def statistics_page(statistics: Statistics, storage: Sequence[Stored]) -> str:
    """The whole document. Titles are escaped: they are the only text in it that is not ours."""
    days = f"最近 {statistics.days} 天"
    parts = [
        _tiles(statistics),
        _section(f"每天的播放（{days}）", columns(statistics.views_by_day, "每天的播放", "b")),
        _section(
            "每小时的播放（最近 24 小时，UTC）",
            columns(statistics.views_by_hour, "每小时的播放", "b"),
        ),
        '<div class="pair">',
        _section(f"播放最多（{days}）", meters(statistics.top_videos)),
        _section(f"收藏最多（{days}）", meters(statistics.top_favourites, "b3")),
        _section("每天的收藏", columns(statistics.favourites_by_day, "每天的收藏", "b3")),
        _section("每天的分享", columns(statistics.shares_by_day, "每天的分享", "b2")),
        "</div>",
        _section("占用空间", stack(storage)),
        _section(f"播放失败与卡顿（{days}）", health_table(statistics.health)),
    ]
    return (
        '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
        "'unsafe-inline'\">"
        f"<title>流影统计</title><style>{STYLE}</style></head><body><main><header><h1>流影统计</h1>"
        f"<p>{escape(statistics.made_at)} 生成，日期按 UTC</p></header>{''.join(parts)}</main>"
        "</body></html>\n"
    )


def columns(counts: Sequence[Count], name: str, style: str) -> str:
    """A column for each count; above them their sum and the highest."""
    highest = max((one.count for one in counts), default=0)
    if not highest:
        return '<p class="none">还没有</p>'
    step = WIDTH / len(counts)
    bars = (
        f'<rect class="{style}" x="{step * (number + GAP_SHARE / 2):.1f}" y="{HEIGHT - height:.1f}"'
        f' width="{step * (1 - GAP_SHARE):.1f}" height="{height:.1f}">'
        f"<title>{_moment(one.moment)}：{one.count:,}</title></rect>"
        for number, one in enumerate(counts)
        if (height := HEIGHT * one.count / highest)
    )
    peak = next(_moment(one.moment) for one in counts if one.count == highest)
    said = f"共 {sum(one.count for one in counts):,}，最高 {highest:,}（{peak}）"
    marks = "".join(
        f"<span>{_moment(one.moment)}</span>"
        for one in (counts[0], counts[len(counts) // 2], counts[-1])
    )
    return (
        f'<p class="peak">{said}</p><svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" '
        'role="img"'
        f' aria-label="{name}，{said}">{"".join(bars)}</svg><div class="axis">{marks}</div>'
    )


def meters(counts: Sequence[VideoCount], style: str = "") -> str:
    """A bar for each video, the first the longest."""
    if not counts:
        return '<p class="none">还没有</p>'
    highest = max(one.count for one in counts)
    lines = (
        f'<li><div class="row"><span>{number}. {escape(one.title)}</span><b>{one.count:,}</b></div>'
        f'<div class="meter"><i class="{style}" style="width:{100 * one.count / highest:.1f}%"></i>'
        "</div></li>"
        for number, one in enumerate(counts, 1)
    )
    return f"<ol>{''.join(lines)}</ol>"


def stack(storage: Sequence[Stored]) -> str:
    """One bar of all kinds, and what each takes."""
    total = sum(one.bytes for one in storage)
    shown = [
        (number % COLOURS, one) for number, one in enumerate(one for one in storage if one.bytes)
    ]
    if not total:
        return '<p class="none">还没有</p>'
    bars = "".join(
        f'<i style="flex:{one.bytes / total:.6f};background:var(--s{number})"></i>'
        for number, one in shown
    )
    keys = "".join(
        f'<li class="row"><span><i class="dot" style="background:var(--s{number})"></i>'
        f"{escape(one.kind)}</span>"
        f"<b>{size(one.bytes)}</b></li>"
        for number, one in shown
    )
    drawn = f'<div class="stack" role="img" aria-label="共 {size(total)}">{bars}</div>'
    return f'{drawn}<ul class="key">{keys}</ul>'


def health_table(health: Sequence[VideoHealth]) -> str:
    """Videos that fail or stall; those that fail for many stand out by a word as well."""
    if not health:
        return '<p class="none">没有失败，也没有卡顿</p>'
    heads = ("编号", "标题", "开始", "卡顿", "失败", "失败的网络", "失败率", "")
    rows = (
        _cells(
            (
                one.id,
                escape(one.title),
                one.starts,
                one.stalls,
                one.failures,
                one.failed_networks,
                f"{one.share:.0%}",
            ),
            "许多访客失败" if one.fails_for_many else "",
        )
        for one in health
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="scroll">{table}</div>'


def size(count: int) -> str:
    """`1.5 GB`: decimal, as disks are sold."""
    value, unit = float(count), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if value < 1000 or unit == "TB":
            break
        value /= 1000
    return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"


def _cells(values: Iterable[object], flag: str) -> str:
    cells = "".join(f"<td>{value}</td>" for value in values)
    return f'<tr>{cells}<td class="bad">{flag}</td></tr>'


def _tiles(statistics: Statistics) -> str:
    totals, queue = statistics.totals, statistics.queue
    tiles = (
        (totals.views_in_period, f"最近 {statistics.days} 天播放"),
        (totals.views, "累计播放"),
        (totals.videos, f"视频，隐藏 {totals.hidden}" if totals.hidden else "视频"),
        (totals.visitors, "有数据码的访客"),
        (totals.favourites, "收藏"),
        (totals.shares, "分享"),
        (totals.share_visits, "分享带来的访问"),
        (totals.unread_feedback, "未读反馈"),
        (queue.waiting + queue.running, "导入队列"),
        (queue.failed, "导入失败"),
    )
    shown = "".join(
        f'<div class="tile"><b>{count:,}</b><span>{name}</span></div>' for count, name in tiles
    )
    return f'<div class="tiles">{shown}</div>'


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>"


def _moment(moment: str) -> str:
    """`2026-12-01` → `12-01`; `2026-12-01T08:00` → `08:00`."""
    return moment[11:] if "T" in moment else moment[5:]
