"""One cluster for all tests, and the table of what was seen, which is printed last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.films import import_clip, make_clip
from liuying_cluster.table import Table

TABLE = pytest.StashKey[Table]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--table", type=Path, help="also write what was seen to this file")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TABLE] = Table()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    text = config.stash[TABLE].text()
    if text:
        terminalreporter.write_line(f"\n{text}")
    if text and (path := config.getoption("--table")):
        path.write_text(text)


@pytest.fixture(scope="session")
def table(request: pytest.FixtureRequest) -> Table:
    return request.config.stash[TABLE]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def video(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> int:
    """A clip that was queued on one machine and imported by a worker on another."""
    clip = tmp_path_factory.mktemp("clips") / "clip.mp4"
    make_clip(clip, 6)
    return import_clip(cluster, clip)
