"""What scripts rely on: every command speaks JSON, and what it writes is what the listing commands
then show.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from PIL import Image
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.features.feedback.schemas import NewFeedback
from liuying.features.feedback.service import store
from liuying.installation.services import Services

# They run until they are told to stop, and write a log of JSON lines.
RUNS_ON = {"console serve", "serve", "worker"}
# Started by a worker, and not shown: it has a protocol of its own.
INTERNAL = {"run-imports"}
# It asks questions, and writes a file.
ASKS = {"setup"}

Run = Callable[..., Result]


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name in group.commands:
        command = group.get_command(None, name)
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


ALL = dict(commands(typer.main.get_command(app)))


def test_every_command_is_found() -> None:
    assert len(ALL) > 70
    assert ALL.keys() > RUNS_ON | INTERNAL | ASKS


@pytest.mark.parametrize("name", sorted(ALL.keys() - RUNS_ON - INTERNAL - ASKS))
def test_every_command_speaks_json(name: str) -> None:
    assert any("--json" in option.opts for option in ALL[name].params)


@pytest.mark.parametrize("name", sorted(ALL.keys() - INTERNAL))
def test_every_command_shows_how_it_is_called(name: str) -> None:
    examples = [
        line.strip() for line in ALL[name].help.splitlines() if line.strip().startswith("例：")
    ]
    assert examples
    assert all(f"liuying {name}" in line for line in examples)


@pytest.fixture
def run(filled: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(filled.data_dir))
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


@pytest.fixture
def picture(tmp_path: Path) -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 36), "teal").save(buffer, "PNG")
    (tmp_path / "picture.png").write_bytes(buffer.getvalue())
    return str(tmp_path / "picture.png")


def written(run: Run, *arguments: str) -> list[dict[str, Any]]:
    """The objects that a command writes, one a line."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def listed(run: Run, group: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(run(group, "list", "--json").stdout)
    return rows


@pytest.mark.parametrize(
    ("group", "add", "edit", "changed"),
    [
        ("category", ("登山",), ("--name", "徒步"), {"name": "徒步"}),
        ("banner", ("春天",), ("--position", "7"), {"position": 7}),
        (
            "link",
            ("community", "社区", "https://a.example/"),
            ("--title", "新社区"),
            {"title": "新社区"},
        ),
        ("notice", ("维护", "<p>今晚</p>"), ("--title", "改期"), {"title": "改期"}),
        ("tab", ("商城", "https://shop.example/"), ("--name", "小店"), {"name": "小店"}),
        (
            "ad",
            ("--slot", "LIST", "--title", "春", "--url", "https://a.example/"),
            ("--weight", "9"),
            {"weight": 9},
        ),
    ],
)
def test_what_is_made_changed_and_removed_is_told(
    run: Run,
    picture: str,
    group: str,
    add: tuple[str, ...],
    edit: tuple[str, ...],
    changed: dict[str, Any],
) -> None:
    name = "key" if group == "tab" else "id"
    if group == "tab":  # the bar is full
        assert [row["is_hidden"] for row in written(run, "tab", "hide", "favorites")] == [True]
    (made,) = written(run, group, "add", *add, *(("--image", picture) if group == "ad" else ()))
    assert made in listed(run, group)
    (edited,) = written(run, group, "edit", str(made[name]), *edit)
    assert edited.items() >= ({name: made[name]} | changed).items()
    assert edited in listed(run, group)
    (removed,) = written(run, group, "remove", str(made[name]), "--yes")
    assert removed == {name: made[name], "removed": True}
    assert made[name] not in [row[name] for row in listed(run, group)]


def test_videos_are_told_one_a_line(run: Run) -> None:
    assert written(run, "video", "hide", "105", "106") == [
        row for number in (105, 106) for row in listed(run, "video") if row["id"] == number
    ]
    (edited,) = written(run, "video", "edit", "105", "--title", "海边")
    assert (edited["title"], edited["is_hidden"], edited["state"]) == ("海边", True, "complete")
    assert [row["is_hidden"] for row in written(run, "video", "unhide", "105", "106")] == [
        False,
        False,
    ]
    assert written(run, "video", "remove", "105", "106", "--yes") == [
        {"id": 105, "removed": True},
        {"id": 106, "removed": True},
    ]
    assert written(run, "video", "takedown", "107", "--reason", "投诉", "--yes") == [
        {"id": 107, "removed": True, "reason": "投诉"}
    ]


def test_a_refusal_leaves_standard_output_to_what_was_done(run: Run) -> None:
    result = run("video", "edit", "105", "999", "--label", "海", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["id"] == 105
    assert result.stderr == "没有编号为 999 的视频\n"


def test_artists_and_tags_are_told_as_they_are_kept(run: Run) -> None:
    first, second = (row["name"] for row in listed(run, "artist")[:2])
    (edited,) = written(run, "artist", "edit", first, "--intro", "拍山的人")
    assert edited in listed(run, "artist")
    (kept,) = written(run, "artist", "merge", second, first)
    assert kept in listed(run, "artist")
    assert kept["name"] == first
    one, other = (row["name"] for row in listed(run, "tag")[:2])
    (renamed,) = written(run, "tag", "rename", one, "换了名字")
    assert renamed in listed(run, "tag")
    (merged,) = written(run, "tag", "merge", other, "换了名字")
    assert merged in listed(run, "tag")
    assert written(run, "tag", "remove", "换了名字", "--yes") == [
        {"id": merged["id"], "removed": True}
    ]


def test_a_tag_of_hidden_videos_alone_is_renamed_too(run: Run) -> None:
    tag = listed(run, "tag")[0]
    with_it = [
        row["id"] for row in listed(run, "video") if tag["name"] in written_labels(run, row["id"])
    ]
    assert with_it
    run("video", "hide", *map(str, with_it))
    assert tag["id"] not in [row["id"] for row in listed(run, "tag")]
    assert written(run, "tag", "rename", tag["name"], "换了名字") == [
        {"id": tag["id"], "name": "换了名字", "videos": 0}
    ]


def written_labels(run: Run, video_id: int) -> list[str]:
    (shown,) = json.loads(run("video", "show", str(video_id), "--json").stdout)
    labels: list[str] = shown["labels"]
    return labels


def test_words_and_topics_are_told_as_they_are_kept(run: Run) -> None:
    (group,) = written(run, "hot", "set", " 编辑 推荐 ", "海边", "夜景")
    assert group in listed(run, "hot")
    assert group["words"] == ["海边", "夜景"]
    assert written(run, "hot", "remove", group["title"], "--yes") == [
        {"title": group["title"], "removed": True}
    ]
    (blocked,) = written(run, "hot", "block", "ＡＢＣ")
    assert blocked == {
        "blocked": [row["word"] for row in json.loads(run("hot", "blocked", "--json").stdout)]
    }
    assert written(run, "hot", "unblock", "abc") == [{"unblocked": "abc"}]
    (topic,) = written(run, "topic", "set", "雪山", "105", "106")
    assert topic in listed(run, "topic")
    assert topic["videos"] == 2
    assert written(run, "topic", "remove", "雪山", "--yes") == [{"title": "雪山", "removed": True}]


def test_partners_are_told_without_their_key_but_where_it_is_asked_for(run: Run) -> None:
    (added,) = written(
        run, "vendor", "add", "acme", "--name", "艾", "--origin", "https://acme.example"
    )
    assert added in listed(run, "vendor")
    assert "key" not in added
    (shown,) = written(run, "vendor", "show-key", "acme")
    (changed,) = written(run, "vendor", "rotate-key", "acme", "--yes")
    assert changed == {"id": "acme", "key": run("vendor", "show-key", "acme").stdout.strip()}
    assert changed != shown
    (signed,) = written(run, "vendor", "sign", "acme")
    assert signed["url"].endswith(f"/vendor?code={signed['code']}")
    assert written(run, "vendor", "remove", "acme", "--yes") == [{"id": "acme", "removed": True}]


def test_feedback_is_told(run: Run, filled: Services, tmp_path: Path) -> None:
    report = NewFeedback(title="播放卡顿", content="卡")
    with filled.database.write() as connection:
        number = store(connection, report, "code", filled.clock())
    (ticked,) = written(run, "feedback", "done", str(number))
    assert ticked["is_read"] is True
    assert ticked in listed(run, "feedback")
    target = tmp_path / "reports.csv"
    assert written(run, "feedback", "export", str(target)) == [{"file": str(target), "count": 1}]


def test_what_is_no_list_is_told_too(run: Run, tmp_path: Path) -> None:
    (migrated,) = written(run, "migrate")
    assert migrated["revision"]
    target = tmp_path / "openapi.json"
    assert written(run, "openapi", str(target)) == [
        {"file": str(target), "bytes": target.stat().st_size}
    ]
    assert written(run, "jobs", "clear", "--yes") == [{"cleared": 0}]
