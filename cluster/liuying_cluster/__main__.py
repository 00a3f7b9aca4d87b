"""`make cluster`: everything on loopback, with the demo catalogue, until Ctrl-C."""

from __future__ import annotations

import signal
import sys

from liuying_cluster.cluster import running_cluster
from liuying_cluster.processes import MissingProgramError


def main() -> int:
    """Run until a signal comes; 1 where something is missing or does not start."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        print(
            "正在启动三个 PostgreSQL（Patroni）、三个 etcd、HAProxy、S3、nginx 和网站……", flush=True
        )
        with running_cluster() as cluster:
            for front in cluster.fronts:
                print(f"流影 {front.address}/", flush=True)
            print(f"日志在 {cluster.folder}；正在导入演示目录……", flush=True)
            cluster.serving[0].run("demo")
            print("演示目录已导入。按 Ctrl-C 停止。", flush=True)
            signal.pause()
    except KeyboardInterrupt:
        pass
    except (MissingProgramError, TimeoutError) as error:
        print(str(error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
