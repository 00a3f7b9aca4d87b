"""What the doctor says of connections to other machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from liuying.installation.connection_findings import examine_connections
from liuying.installation.settings import Settings

AT = "postgresql+psycopg://liuying:hidden@"


@pytest.mark.parametrize(
    ("settings", "topics"),
    [
        ({}, []),
        ({"database_url": f"{AT}127.0.0.1:5432/liuying"}, []),
        ({"database_url": f"{AT}/liuying?host=/var/run/postgresql"}, []),
        ({"database_url": f"{AT}10.0.0.11/liuying"}, ["database-tls"]),
        ({"database_url": f"{AT}db.example/liuying?sslmode=require"}, ["database-tls"]),
        ({"database_url": f"{AT}10.0.0.11/liuying?sslmode=verify-full&sslrootcert=/ca"}, []),
        ({"database_url": f"{AT}/liuying?host=10.0.0.11"}, ["database-tls"]),
        ({"database_url": f"{AT}/liuying?host=localhost&hostaddr=10.0.0.11"}, ["database-tls"]),
        ({"database_url": f"{AT}127.0.0.1/liuying?host=10.0.0.11"}, ["database-tls"]),
        ({"database_url": f"{AT}/liuying?host=127.0.0.1,10.0.0.11"}, ["database-tls"]),
        ({"database_url": f"{AT}/liuying?host=::1&host=10.0.0.11:5432"}, ["database-tls"]),
        ({"database_url": f"{AT}/liuying?host=127.0.0.1:5432"}, []),
        ({"database_url": f"{AT}/liuying?host=::1"}, []),
        ({"database_url": f"{AT}/liuying?host=10.0.0.11&sslmode=verify-full"}, []),
        ({"s3_endpoint": "http://127.0.0.1:8333"}, []),
        ({"s3_endpoint": "https://s3.example.com"}, []),
        ({"s3_endpoint": "http://10.0.0.5:8333"}, ["no-tls"]),
    ],
)
def test_unverified_machines_are_found(
    tmp_path: Path, settings: dict[str, Any], topics: list[str]
) -> None:
    found = list(examine_connections(Settings(data_dir=tmp_path, **settings)))
    assert [one.topic for one in found] == topics
    assert all(one.severity == "warning" and "hidden" not in one.sentence for one in found)
