"""One cluster for all tests, and the table of what was seen, which is printed last."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.films import import_clip, make_clip
from liuying_cluster.table import Table

TABLE = pytest.StashKey[Table]()
# The logs of all parts as they were when a test failed, in a folder of its name; ignored by Git.
KEPT_LOGS = Path(__file__).parents[2] / ".make" / "cluster-logs"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--table", type=Path, help="also write what was seen to this file")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TABLE] = Table()


def pytest_sessionstart(session: pytest.Session) -> None:
    if not session.config.option.collectonly:
        shutil.rmtree(KEPT_LOGS, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep the logs where a test failed: the cluster's folder goes with it."""
    report = yield
    cluster = item.funcargs.get("cluster")
    if report.failed and isinstance(cluster, Cluster):
        kept = KEPT_LOGS / item.name.replace("/", "_")
        kept.mkdir(parents=True, exist_ok=True)
        for part in cluster.parts:
            # The cluster may have ended before the last test's own end failed.
            with suppress(OSError):
                shutil.copy(part.log, kept)
        report.sections.append(("logs of all parts", str(kept)))
    return report


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
