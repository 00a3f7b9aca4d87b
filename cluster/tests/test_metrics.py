"""What `deploy/alerts.yml` asks of Patroni and etcd is what they say."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import pytest
from liuying_cluster.certificates import client_context
from liuying_cluster.cluster import Cluster

ALERTS = (Path(__file__).resolve().parents[2] / "deploy" / "alerts.yml").read_text(encoding="utf-8")


def said(cluster: Cluster, port: int) -> set[str]:
    """The names of the metrics of a listener."""
    address = f"https://127.0.0.1:{port}/metrics"
    context = client_context(cluster.certificates)
    with urllib.request.urlopen(address, timeout=10, context=context) as answer:
        return set(re.findall(r"^([a-z_]+)[{ ]", answer.read().decode(), re.MULTILINE))


@pytest.mark.parametrize("part", ["patroni", "etcd"])
def test_alerts_ask_for_what_there_is(cluster: Cluster, part: str) -> None:
    ports = cluster.postgres.rest if part == "patroni" else cluster.etcd.clients
    asked = set(re.findall(rf"\b{part}_[a-z_]+", ALERTS))
    assert asked
    for port in ports:
        assert asked <= said(cluster, port)
