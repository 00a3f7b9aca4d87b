"""How a connection to PostgreSQL waits, and what it learns of the server.

Source: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS
"""

from __future__ import annotations

import select
from time import monotonic
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from liuying.kit.clock import Milliseconds, system_clock

# A server that is gone is noticed within seconds, not within the system's minutes. The address may
# say otherwise.
CONNECTION = {
    "connect_timeout": 2,  # seconds
    "tcp_user_timeout": 3000,  # milliseconds
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    # A proxy that has just started may lead to a standby, whose answers may be old.
    "target_session_attrs": "read-write",
}
# A process answers with five threads and does a few things beside; many processes share the server.
POOL: dict[str, Any] = {
    "pool_size": 5,
    "max_overflow": 2,
    "pool_timeout": 3,
    # Each statement of a reader sees its own moment anyway: without a transaction there is no BEGIN
    # and no ROLLBACK, which cost as much as a statement each. Writers say BEGIN themselves
    # (`begin`).
    "isolation_level": "AUTOCOMMIT",
    # New connections measure the server's time again (`measure_clock`).
    "pool_recycle": 300,
}
# A connection that rested for longer may be broken without a word: it is asked before it is used.
RESTED_S = 1.0
# In a connection's `info`: since when it rests.
RESTS_SINCE = "liuying_rests_since"
# In a connection's `info`: how many milliseconds its transaction's statements wait for locks.
LOCK_TIMEOUT = "liuying_lock_timeout"
# How the server treats a session. A machine that vanished says no farewell, and by its own settings
# the server would keep that session's locks for hours. Nor may a process that stands still in the
# middle of a transaction hold others up for longer.
# Source: https://www.postgresql.org/docs/current/runtime-config-connection.html
SESSION = {
    "tcp_keepalives_idle": "5s",
    "tcp_keepalives_interval": "2s",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "10s",
    "idle_in_transaction_session_timeout": "60s",
}
CLOCK_TOLERANCE_MS = 20
# A number for the server that answers. An address alone may be a proxy's; the moment of the start
# tells two servers apart.
STARTED_AT = "SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint"


def bound_waiting(
    _dialect: object, _record: object, _arguments: list[Any], named: dict[str, Any]
) -> None:
    """Limit how long a connection waits for a server that does not answer, and refuse a standby."""
    for name, value in CONNECTION.items():
        named.setdefault(name, value)


def begin(connection: sa.Connection) -> None:
    """Begin a writer's transaction, and let its statements wait for locks no longer than the writer
    may.
    """
    options = connection.get_execution_options()
    if not options.get("liuying_write"):
        return
    parts = ["BEGIN"]
    if (bound := connection.info.get(LOCK_TIMEOUT)) is not None:
        parts.append(f"SET LOCAL lock_timeout = {bound}")
    if not options["liuying_waits"]:
        parts.append("SET LOCAL synchronous_commit = off")
    connection.exec_driver_sql("; ".join(parts))


def note_rest(_connection: object, record: ConnectionPoolEntry) -> None:
    """Note that a connection goes back to the pool."""
    record.info[RESTS_SINCE] = monotonic()


def wake(connection: Any, record: ConnectionPoolEntry, _proxy: PoolProxiedConnection) -> None:
    """Ask a connection that rested for long, or that the server has said something on, whether it
    still works.

    Raises:
        sqlalchemy.exc.DisconnectionError: It does not; the pool makes another one.
    """
    since = record.info.get(RESTS_SINCE)
    if since is None:
        return
    try:
        if monotonic() - since > RESTED_S or _is_spoken_to(connection):
            connection.execute("SELECT 1")
    except Exception as error:  # psycopg's OperationalError
        raise sa.exc.DisconnectionError from error


def _is_spoken_to(connection: Any) -> bool:
    """Whether the server has sent something unasked, as a rule that it ends the connection. This
    asks the system alone.
    """
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return bool(waiting.poll(0))


def bound_session(connection: Any) -> None:
    """Let the server end a session whose client is gone or stands still in a transaction.

    Args:
        connection: The driver's, new.
    """
    settings = "; ".join(f"SET {name} = '{value}'" for name, value in SESSION.items())
    connection.execute(settings)
    connection.commit()


def end_when_silent(connection: sa.Connection, seconds: int) -> None:
    """Let the server end a session that says nothing for so long, as a process that stands still.
    Servers before PostgreSQL 14 cannot.
    """
    connection.exec_driver_sql(
        f"SELECT set_config(name, '{seconds}s', false) FROM pg_settings"  # noqa: S608 - a number
        " WHERE name = 'idle_session_timeout'"
    )


def measure_clock(connection: Any) -> Milliseconds:
    """How far the server's clock is ahead of this machine's.

    Args:
        connection: The driver's.

    Returns:
        0 where the difference may be the time that the question took.
    """
    cursor = connection.cursor()
    before = system_clock()
    cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
    theirs: int = cursor.fetchone()[0]
    after = system_clock()
    cursor.close()
    connection.rollback()  # Reading began a transaction.
    offset, uncertainty = theirs - (before + after) // 2, (after - before) // 2
    return offset if abs(offset) > uncertainty + CLOCK_TOLERANCE_MS else 0


def server_of(connection: sa.Connection) -> str:
    """Which server answers, and since when; empty for SQLite.

    After a failover it is another one.
    """
    if connection.dialect.name != "postgresql":
        return ""
    return str(connection.exec_driver_sql(STARTED_AT).scalar_one())


def listen(connection: sa.Connection, channel: str) -> None:
    """Be told from now on what is sent to a channel."""
    connection.exec_driver_sql(f"LISTEN {channel}")


def let_stand_still(connection: sa.Connection) -> None:
    """Let the rest of the transaction say nothing for as long as it must, while another database is
    read; nothing to do on SQLite.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")


def limit_lock_wait(connection: sa.Connection, seconds: int) -> None:
    """Let the rest of the transaction wait for locks no longer than this; SQLite needs none."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{seconds}s'")
