"""The drill: the database as it was before somebody's mistake, from the base back-up and the log in
the bucket. Its steps are those of docs/operating.md#pitr, but that the three servers go on: what is
restored is a server beside them.
"""

from __future__ import annotations

import time

import psycopg
from liuying_cluster.cluster import Cluster
from liuying_cluster.database import DATABASE
from liuying_cluster.processes import wait_until
from liuying_cluster.table import Table
from liuying_cluster.visitors import call

from liuying.installation.database_files import TTL_S

FAVOURITES = "SELECT count(*) FROM favourite WHERE video_id = %s"
ARCHIVED = "SELECT last_archived_wal >= pg_walfile_name(%s) FROM pg_stat_archiver"


def keep(cluster: Cluster, video: int, code: str) -> None:
    """Keep a video as a favourite; acknowledged."""
    body = {"id": video, "site": "sg"}
    answer = call(cluster.fronts[0].address, "/api/favorites", body, code, "127.31.0.2")
    assert answer.status == 200


def count(connection: psycopg.Connection, statement: str, video: int) -> int:
    row = connection.execute(statement, [video]).fetchone()
    assert row is not None
    return int(row[0])


def test_a_moment_before_a_mistake_is_restored(cluster: Cluster, video: int, table: Table) -> None:
    postgres = cluster.postgres
    leader = postgres.leader()
    assert leader is not None
    name, password = postgres.parts[leader].name, postgres.passwords["superuser"]
    keep(cluster, video, "before00base")
    began = time.monotonic()
    cluster.backups.back_up(name, password)
    backed_up = time.monotonic() - began
    time.sleep(2.0)  # Ends of back-ups are noted in whole seconds.
    keep(cluster, video, "after000base")
    with psycopg.connect(postgres.address(leader, DATABASE), autocommit=True) as connection:
        kept = count(connection, FAVOURITES, video)
        row = connection.execute("SELECT clock_timestamp()::text").fetchone()
        assert row is not None
        moment = str(row[0])
        time.sleep(1.0)  # Moments of commits are compared with it.
        connection.execute("DELETE FROM favourite")
        assert count(connection, FAVOURITES, video) == 0
        row = connection.execute("SELECT pg_switch_wal()::text").fetchone()
        assert row is not None
        last = str(row[0])

        def is_archived() -> bool:
            found = connection.execute(ARCHIVED, [last]).fetchone()
            return found is not None and bool(found[0])

        wait_until(is_archived, "the log is not archived")
    began = time.monotonic()
    folder = postgres.folder / "restored"
    # By hand: Patroni would wipe the moment.
    restored = cluster.backups.restore(name, password, folder, moment)
    try:
        seconds = time.monotonic() - began
        with restored.connect(DATABASE) as connection:
            assert count(connection, FAVOURITES, video) == kept >= 2
        restored.stop()
    finally:
        restored.part.kill()
    adopted = postgres.adopt(folder.name)
    try:
        whole = time.monotonic() - began
        with psycopg.connect(adopted.address) as connection:
            assert count(connection, FAVOURITES, video) == kept
            connection.execute("DELETE FROM favourite")  # It takes writes.
        # They came back with the data folder.
        assert (adopted.shared["synchronous_mode"], adopted.shared["ttl"]) == (True, TTL_S)
    finally:
        adopted.part.kill()
    table.figure(
        "restored as of a moment before a mistake",
        f"base back-up in {backed_up:.0f} s, restored in {seconds:.0f} s, under Patroni again after"
        f" {whole:.0f} s, nothing missing",
    )
