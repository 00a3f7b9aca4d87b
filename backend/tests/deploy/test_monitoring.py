"""Alerts and the dashboard ask for what there is, in PromQL."""

from __future__ import annotations

import json
import re
from typing import Any

import promql_parser
import pytest
import yaml  # type: ignore[import-untyped]  # its types are a package of their own

from liuying.installation.settings import REPOSITORY
from tests.conftest import Client

# Of Patroni 4.1.5's and etcd's own listeners; `cluster/tests/test_metrics.py` asks these.
OTHERS = {
    "patroni_primary",
    "patroni_replica",
    "patroni_sync_standby",
    "patroni_xlog_location",
    "patroni_xlog_replayed_location",
    "patroni_dcs_last_seen",
    "etcd_server_has_leader",
    "up",
}
NAME = re.compile(r"\b(?:liuying|process|patroni|etcd)_[a-z_]+|\bup\b")


def rules() -> list[dict[str, Any]]:
    """The alerts."""
    read = yaml.safe_load((REPOSITORY / "deploy" / "alerts.yml").read_text(encoding="utf-8"))
    return [rule for group in read["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """What the dashboard shows."""
    read = json.loads((REPOSITORY / "deploy" / "grafana.json").read_text(encoding="utf-8"))
    return list(read["panels"])


def expressions() -> list[str]:
    """All PromQL of both, with Grafana's variables filled in."""
    asked = [target["expr"] for panel in panels() for target in panel.get("targets", [])]
    filled = [one.replace("$__rate_interval", "1m").replace("$job", ".*") for one in asked]
    return [*filled, *(rule["expr"] for rule in rules())]


@pytest.mark.parametrize("expression", expressions())
def test_each_expression_is_promql(expression: str) -> None:
    promql_parser.parse(expression)


def test_each_metric_exists(client: Client) -> None:
    client.get("/api/videosort")
    lines = client.application.metrics.text().splitlines()
    ours = {re.sub(r"[{ ].*", "", line) for line in lines if not line.startswith("#")}
    asked = {name for one in expressions() for name in NAME.findall(one)}
    assert len(asked) > 20
    assert asked - OTHERS <= ours
    assert asked >= OTHERS


def test_what_alerts_ask_for_is_on_the_dashboard() -> None:
    shown = " ".join(target["expr"] for one in panels() for target in one.get("targets", []))
    asked = {name for rule in rules() for name in NAME.findall(rule["expr"])} - {"up"}
    assert {name for name in asked if not re.search(rf"\b{name}\b", shown)} == set()


def test_a_server_that_is_gone_is_told() -> None:
    watched = [rule["expr"] for rule in rules() if rule["expr"].startswith("up{")]
    assert watched == ['up{job="liuying"} == 0', 'up{job=~"patroni|etcd"} == 0']


def test_each_alert_says_what_it_is() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in {"critical", "warning"}, rule["alert"]
        assert rule["annotations"]["summary"], rule["alert"]


def test_panels_lie_beside_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        cells = {
            (place["x"] + column, place["y"] + row)
            for column in range(place["w"])
            for row in range(place["h"])
        }
        assert not taken & cells, panel["title"]
        taken |= cells
