"""The check that whatever the repository refers to is in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GIT = shutil.which("git") or "git"
TOOL = Path(__file__).resolve().parents[3] / "tools" / "references"
PAGE = '<a id="sharing"></a>\n## 3. Share to unlock\n'


def run_in(folder: Path, name: str, text: str) -> list[str]:
    """The faults of a repository of a product page, a specification and one file more."""
    for path, content in (
        ("tools/references", TOOL.read_text(encoding="utf-8")),
        ("docs/product.md", PAGE),
        ("docs/specification.md", "## §1 Purpose\n"),
        (name, text),
    ):
        (folder / path).parent.mkdir(exist_ok=True, parents=True)
        (folder / path).write_text(content, encoding="utf-8")
    subprocess.run([GIT, "init", "-q"], cwd=folder, check=True)
    subprocess.run([GIT, "add", "."], cwd=folder, check=True)
    done = subprocess.run(
        [sys.executable, str(folder / "tools/references")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == (1 if done.stderr else 0)
    return done.stderr.splitlines()


@pytest.mark.parametrize(
    "line",
    [
        "# As decided (docs/product.md#sharing).",
        "# As specified (specification §1).",
        "# two readings, 40 ms apart",
    ],
)
def test_what_is_there_is_no_fault(tmp_path: Path, line: str) -> None:
    assert run_in(tmp_path, "a.py", line) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("# docs/product.md#gone", "product.md has no anchor #gone"),
        ("# docs/gone.md#sharing", "no such file: gone.md"),
        ("# specification §2", "the specification has no §2"),
        ("# (decisions §3)", "refers to a paper that is not in the repository: decisions §3"),
        ("# (threats 5)", "refers to a paper that is not in the repository: threats 5"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, line: str, fault: str) -> None:
    assert run_in(tmp_path, "a.py", "\n" + line) == [f"a.py:2: {fault}"]


def test_links_of_a_page_lead_somewhere(tmp_path: Path) -> None:
    text = (
        "[a](product.md#3-share-to-unlock) [b](product.md#sharing) [c](x.md) [d](https://x.example)"
    )
    assert run_in(tmp_path, "docs/a.md", text) == ["docs/a.md:1: no such file: x.md"]


def test_modules_that_a_page_names_are_there(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "rules.py").touch()
    text = "`src/rules.py` `rules.py` `src/*.py` `gone.py` `other/rules.py`"
    assert run_in(tmp_path, "docs/a.md", text) == [
        "docs/a.md:1: no such module: gone.py",
        "docs/a.md:1: no such module: other/rules.py",
    ]


def test_a_translation_is_of_the_present_text(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# A", encoding="utf-8")
    stale = "<!-- SHA-256 000000000000 -->"
    assert run_in(tmp_path, "README.zh-CN.md", stale) == [
        "README.zh-CN.md: README.md changed; translate it, then tools/references --translated"
    ]
    tool = [sys.executable, str(tmp_path / "tools/references")]
    subprocess.run([*tool, "--translated"], check=True)
    assert subprocess.run(tool, check=False).returncode == 0
