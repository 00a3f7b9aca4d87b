"""Lines of settings, read as a shell reads them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.kit.setting_lines import SettingFileError, changed, of_file, parse, quoted

VALUES = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=60)


@given(VALUES)
def test_a_value_is_read_as_it_was_written(value: str) -> None:
    assert parse(f"NAME={quoted('NAME', value)}\n") == {"NAME": value}


@pytest.mark.parametrize(
    "value", ["plain", "a b", 'say "$HOME" `id` \\ end', "密钥#1;x", "it's", ""]
)
def test_a_shell_reads_the_same(value: str, tmp_path: Path) -> None:
    file = tmp_path / "site.env"
    file.write_text(changed("", {"NAME": value}), encoding="utf-8")
    said = subprocess.run(
        ["/bin/sh", "-c", f'. {file}; printf %s "$NAME"'], capture_output=True, check=True
    )
    assert said.stdout.decode() == value
    assert of_file(file) == {"NAME": value}


@pytest.mark.parametrize("value", ["two\nlines", "nul\0", "tab\t"])
def test_what_is_no_line_is_refused(value: str) -> None:
    with pytest.raises(SettingFileError, match="NAME"):
        quoted("NAME", value)


def test_a_change_leaves_everything_else() -> None:
    text = "# mine\n#PORT=8000\nHOST=1.2.3.4\n\n# last\n"
    assert changed(text, {"PORT": "9000", "HOST": "::1", "NEW": "a b"}) == (
        '# mine\nPORT=9000\nHOST=::1\n\n# last\nNEW="a b"\n'
    )


def test_the_last_line_in_force_is_changed() -> None:
    assert changed("A=1\nA=2\n#A=3\n", {"A": "4"}) == "A=1\nA=4\n#A=3\n"


def test_a_line_that_sets_nothing_is_named() -> None:
    with pytest.raises(SettingFileError, match="第 2 行"):
        parse("A=1\nnonsense\n")


def test_no_file_sets_nothing(tmp_path: Path) -> None:
    assert of_file(tmp_path / "none") == {}
