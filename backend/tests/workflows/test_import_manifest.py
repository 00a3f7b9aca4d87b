"""Lists of files to import: CSV and JSON Lines, good rows beside bad ones."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from liuying.kit.errors import InvalidInputError
from liuying.workflows.import_manifest import Item, read_manifest
from liuying.workflows.video_meta import TIME_FAULT, GivenMeta

CSV = """\ufefffile, title,category,labels,pageviews,created_at,cover\r
a.mp4,"海, 和山",旅行,海|山,5,2026-12-01T08:00:00Z,a.jpg\r
b.mp4,,72,,,,\r
\r
c.mp4,x,,,many,,\r
,无文件,,,,,\r
d.mp4,x,y,z,1,,,extra\r
"""


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        ("2026/12/1 8:00", datetime(2026, 12, 1, 8, 0).astimezone()),
        ("2026-12-01", datetime(2026, 12, 1).astimezone()),
        ("2026年12月1日", datetime(2026, 12, 1).astimezone()),
        ("2026-12-01T08:00:00Z", datetime(2026, 12, 1, 8, tzinfo=UTC)),
        ("1796083200000", datetime(2026, 12, 1, tzinfo=UTC)),
    ],
)
def test_dates_of_spreadsheets(tmp_path: Path, cell: str, moment: datetime) -> None:
    (tmp_path / "list.csv").write_text(f"file,created_at\na.mp4,{cell}\n", encoding="utf-8")
    (item,) = read_manifest(tmp_path / "list.csv")
    assert item.given.created_at == round(moment.timestamp() * 1000)


@pytest.mark.parametrize("cell", ["46357", "12/1/2026", "明天"])
def test_what_is_no_date_is_refused_with_an_example(tmp_path: Path, cell: str) -> None:
    (tmp_path / "list.csv").write_text(f"file,created_at\na.mp4,{cell}\n", encoding="utf-8")
    (item,) = read_manifest(tmp_path / "list.csv")
    assert item.fault == f"清单第 2 行：created_at {TIME_FAULT}"


def test_csv(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(CSV, encoding="utf-8", newline="")
    items = read_manifest(tmp_path / "list.csv")
    assert items[0] == Item(
        tmp_path / "a.mp4",
        GivenMeta(
            title="海, 和山",
            category="旅行",
            labels=("海", "山"),
            pageviews=5,
            created_at=1_796_112_000_000,
        ),
        tmp_path / "a.jpg",
    )
    assert items[1] == Item(tmp_path / "b.mp4", GivenMeta(category=72))
    assert [item.fault for item in items[2:]] == [
        "清单第 5 行：pageviews 的类型不对",
        "清单第 6 行：缺少 file",
        "清单第 7 行：多出一列",
    ]


def test_json_lines(tmp_path: Path) -> None:
    lines = [
        '{"file": "sub/a.mp4", "title": "海", "labels": ["海"], "cover": "/x/a.png"}',
        "",
        '{"file": "b.mp4", "titel": "x"}',
        '{"file": 7}',
        '{"file": "a\\u0000b.mp4"}',
        '{"file": "c.mp4", "cover": []}',
        "[1]",
        "nonsense",
        '{"file": ' + "[" * 100_000,
        '{"file": "d.mp4"}',
    ]
    (tmp_path / "list.jsonl").write_text("\n".join(lines), encoding="utf-8")
    items = read_manifest(tmp_path / "list.jsonl")
    assert items[0] == Item(
        tmp_path / "sub/a.mp4", GivenMeta(title="海", labels=("海",)), Path("/x/a.png")
    )
    assert [item.fault for item in items[1:]] == [
        "清单第 3 行：不认识的项目 titel",
        "清单第 4 行：缺少 file",
        "清单第 5 行：缺少 file",
        "清单第 6 行：cover 的值不对",
        "清单第 7 行：不是有效的 JSON 对象",
        "清单第 8 行：不是有效的 JSON 对象",
        "清单第 9 行：不是有效的 JSON 对象",
        "",
    ]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.csv", b"name,title\nx,y\n", "第一行要有列名"),
        ("a.csv", b"", "第一行要有列名"),
        ("a.csv", "文件".encode("gbk"), "第一行要有列名"),
        ("a.csv", b"file,titel\na.mp4,x\n", "不认识的列 titel"),
        ("a.csv", "file".encode("utf-32"), "编码无法识别"),
        ("a.jsonl", b"\xff", "编码无法识别"),
        ("none.csv", None, "无法读取"),
    ],
)
def test_what_is_no_manifest(
    tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInputError, match=sentence):
        read_manifest(tmp_path / name)


def test_broken_quotes_end_a_list_with_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        'file,title\na.mp4,x\n"b.mp4"y,z\nc.mp4,"open\n', encoding="utf-8"
    )
    items = read_manifest(tmp_path / "a.csv")
    assert items[0].source == tmp_path / "a.mp4"
    assert "不是有效的 CSV" in items[-1].fault


def test_a_list_is_read_as_spreadsheets_write_it(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "gb18030", "utf-16"):
        (tmp_path / "a.csv").write_text("file,title\na.mp4,海边的一天\n", encoding=encoding)
        assert read_manifest(tmp_path / "a.csv") == [
            Item(tmp_path / "a.mp4", GivenMeta(title="海边的一天"))
        ]


def test_a_huge_cell_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "file,title\na.mp4,x\nb.mp4," + "x" * 200_000 + "\n", encoding="utf-8"
    )
    assert [item.fault for item in read_manifest(tmp_path / "a.csv")] == [
        "",
        "清单第 3 行：一格的文字过长",
    ]
