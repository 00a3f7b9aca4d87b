"""Strangers on the machine get nowhere: each part asks for a password or a certificate."""

from __future__ import annotations

import ssl
import urllib.error
import urllib.request

import psycopg
import pytest
from liuying_cluster.certificates import client_context, refuses
from liuying_cluster.cluster import Cluster
from liuying_cluster.database import DATABASE, USER


@pytest.mark.parametrize(
    "who",
    [
        "user=postgres dbname=postgres sslmode=disable",
        "user=postgres dbname=postgres password=x",
        f"user={USER} dbname={DATABASE}",
    ],
)
def test_postgresql_refuses(cluster: Cluster, who: str) -> None:
    ports = [*cluster.postgres.ports, *(one.haproxy.port for one in cluster.serving)]
    for port in ports:
        with pytest.raises(psycopg.OperationalError, match=r"no pg_hba|password|no encryption"):
            psycopg.connect(f"host=127.0.0.1 port={port} connect_timeout=5 {who}")


def test_etcd_refuses_who_has_no_certificate(cluster: Cluster) -> None:
    stranger = ssl.create_default_context(cafile=str(cluster.certificates.authority))
    for port in cluster.etcd.clients:
        with pytest.raises(OSError, match="certificate"):
            urllib.request.urlopen(f"https://127.0.0.1:{port}/version", timeout=5, context=stranger)


def test_patroni_refuses_orders_without_its_password(cluster: Cluster) -> None:
    context = client_context(cluster.certificates)
    for port in cluster.postgres.rest:
        request = urllib.request.Request(f"https://127.0.0.1:{port}/restart", b"{}", method="POST")
        with pytest.raises(urllib.error.HTTPError, match=r"401|403"):
            urllib.request.urlopen(request, timeout=5, context=context)  # noqa: S310


def test_the_store_refuses_who_does_not_sign(cluster: Cluster) -> None:
    assert cluster.store.endpoint.startswith("https://")
    assert cluster.store.status_without_key() == 403


def test_the_stores_parts_refuse_who_has_no_certificate(cluster: Cluster) -> None:
    for port in (*cluster.store.inner_ports, *cluster.store.grpc_ports):
        assert refuses(port, cluster.certificates)


def test_the_filer_refuses_who_has_a_certificate_and_no_key(cluster: Cluster) -> None:
    for method in ("GET", "DELETE"):
        assert cluster.store.filer_status(method, "/buckets/liuying/media/") == 401
