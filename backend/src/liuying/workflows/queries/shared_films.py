"""Long films that machines without a common folder encode together: what is offered, and which
helper makes which chunk.

Each function is one step inside the caller's transaction; moments are the database's own, since
clocks of machines differ. A film is alive while its import holds the asset
(`core.playback.queries.holds`): a dead one's rows mean nothing to anybody.

In one file, since every step of a claim must fit the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum

import msgspec
import sqlalchemy as sa

from liuying.core.playback.tables import asset
from liuying.kit.database import database_now, metadata
from liuying.kit.inserting import upsert

# As long as an asset's: a helper that stands still loses its chunk after this.
HELD_MS = 15_000
# What a claim names is kept for so long after it ran out: longer than a request to a store takes.
# So is a film whose import does not renew its hold: longer than a database takes to fail over.
KEPT_MS = 120_000

shared_film = sa.Table(
    "shared_film",
    metadata,
    sa.Column("name", sa.String(80), primary_key=True, comment="content, plan and encoder"),
    sa.Column("asset_key", sa.String(32), nullable=False),
    sa.Column(
        "held_by", sa.String(40), nullable=False, comment="the import, as the asset names it"
    ),
    sa.Column("content", sa.String(64), nullable=False, comment="SHA-256 of the source file"),
    sa.Column("machine", sa.String(40), nullable=False, comment="kind of processor"),
    sa.Column("version", sa.String(40), nullable=False, comment="the program's"),
    sa.Column("offer", sa.Text, nullable=False, comment="media.chunk_offer.Offer as JSON"),
    sa.Column("free_part", sa.Integer, comment="the first part with a chunk that nobody has begun"),
)
shared_chunk = sa.Table(
    "shared_chunk",
    metadata,
    sa.Column("claim", sa.String(32), primary_key=True, comment="of one helper's one try"),
    sa.Column("film", sa.String(80), nullable=False),
    sa.Column("state", sa.String(8), nullable=False, comment="shared_films.State"),
    sa.Column("part", sa.String(8), comment="which renditions"),
    sa.Column("number", sa.Integer, comment="of the chunk"),
    sa.Column("files", sa.JSON(none_as_null=True), comment="names in the inbox, by file name"),
    sa.Column("held_until", sa.BigInteger, nullable=False, comment="by the database's clock"),
    sa.Index("ix_shared_chunk_film", "film", "state"),
)
_claim = shared_chunk.c.claim


class State(StrEnum):
    """How far a claim is."""

    # A helper would make a chunk.
    ASKED = "asked"
    # The import told it which.
    GIVEN = "given"
    # Its files are in the inbox.
    STORED = "stored"
    # The import does without: what a helper may still store is not needed.
    VOID = "void"


class SharedFilm(msgspec.Struct, frozen=True, kw_only=True):
    """A film that is offered to other machines.

    Attributes:
        name: The name of the folder of its chunks: content, plan and encoder.
        asset_key: Its asset.
        held_by: Its import, as the asset's row names it.
        content: SHA-256 of the source file, which is in the inbox.
        machine: The kind of processor that encodes it.
        version: The program's: two releases that run during an upgrade share no film.
        offer: A `media.chunk_offer.Offer` as JSON.
    """

    name: str
    asset_key: str
    held_by: str
    content: str
    machine: str
    version: str
    offer: str


class Claimed(msgspec.Struct, frozen=True):
    """What a claim's row says.

    Attributes:
        state: How far it is.
        part: Which renditions; empty where nothing is given yet.
        number: Of the chunk.
        files: Names in the inbox by file name.
        is_out: Its helper has not been heard of for too long.
    """

    state: State
    part: str
    number: int
    files: dict[str, str]
    is_out: bool


def offer_film(connection: sa.Connection, film: SharedFilm, free_part: int | None) -> None:
    """Offer a film, and take from the helpers whatever another import of it had given them."""
    upsert(
        connection,
        shared_film,
        msgspec.structs.asdict(film) | {"free_part": free_part},
        ["name"],
    )
    _void_all(connection, film.name)


def note_free_part(
    connection: sa.Connection, name: str, held_by: str, free_part: int | None
) -> bool:
    """Note where helpers find something to do; False where this import does not offer the film (any
    more).
    """
    statement = sa.update(shared_film).where(*_offered_by(name, held_by))
    noted = statement.values(free_part=free_part).returning(shared_film.c.name)
    return connection.execute(noted).first() is not None


def withdraw_film(connection: sa.Connection, name: str, held_by: str) -> None:
    """Want no help any more; without effect where another import has the film."""
    statement = sa.delete(shared_film).where(*_offered_by(name, held_by))
    if connection.execute(statement.returning(shared_film.c.name)).first() is not None:
        _void_all(connection, name)


def films_to_help(
    connection: sa.Connection, machine: str, version: str, passed_over: Collection[str]
) -> list[str]:
    """Names of living films with a chunk that nobody has begun, first renditions first.

    Args:
        machine: The kind of this machine's processor.
        version: The program's.
        passed_over: Names to leave out.
    """
    statement = (
        sa.select(shared_film.c.name)
        .where(
            shared_film.c.free_part.is_not(None),
            shared_film.c.machine == machine,
            shared_film.c.version == version,
            shared_film.c.name.not_in(passed_over),
            _is_alive(database_now(connection)),
        )
        .order_by(shared_film.c.free_part, shared_film.c.name)
    )
    return list(connection.execute(statement).scalars())


def living_film(connection: sa.Connection, name: str) -> SharedFilm | None:
    """A film that an import is at; None if it is over, or its process is gone."""
    columns = [shared_film.c[field] for field in SharedFilm.__struct_fields__]
    statement = sa.select(*columns).where(
        shared_film.c.name == name, _is_alive(database_now(connection))
    )
    row = connection.execute(statement).mappings().first()
    return None if row is None else SharedFilm(**row)


def may_live(connection: sa.Connection, name: str) -> bool:
    """Whether an import may still be at a film: while the database failed over, none could hold on
    to its asset.
    """
    statement = sa.select(shared_film.c.name).where(
        shared_film.c.name == name, _is_alive(database_now(connection) - KEPT_MS)
    )
    return connection.execute(statement).first() is not None


def ask(connection: sa.Connection, claim: str, film: str) -> None:
    """Ask a film's import for a chunk.

    Args:
        claim: A text that no other claim ever uses.
    """
    values = {"claim": claim, "film": film, "state": State.ASKED.value}
    until = database_now(connection) + HELD_MS
    connection.execute(sa.insert(shared_chunk).values(held_until=until, **values))


def asked(connection: sa.Connection, film: str, held_by: str) -> list[str]:
    """The claims that wait for an answer of this import; none where another has the film."""
    statement = (
        sa.select(_claim)
        .join(shared_film, shared_film.c.name == shared_chunk.c.film)
        .where(
            *_offered_by(film, held_by),
            shared_chunk.c.state == State.ASKED.value,
            shared_chunk.c.held_until > database_now(connection),
        )
        .order_by(_claim)
    )
    return list(connection.execute(statement).scalars())


def given(connection: sa.Connection, film: str, held_by: str) -> set[str]:
    """The claims whose chunk is made or stored for this import; none where another has the film."""
    statement = (
        sa.select(_claim)
        .join(shared_film, shared_film.c.name == shared_chunk.c.film)
        .where(
            *_offered_by(film, held_by),
            shared_chunk.c.state.in_([State.GIVEN.value, State.STORED.value]),
        )
    )
    return set(connection.execute(statement).scalars())


def give(connection: sa.Connection, claim: str, part: str, number: int) -> bool:
    """Tell a helper which chunk to make; False if it does not ask any more."""
    until = database_now(connection) + HELD_MS
    values = {"state": State.GIVEN.value, "part": part, "number": number, "held_until": until}
    return _change(connection, claim, State.ASKED, values)


def claimed(connection: sa.Connection, claim: str) -> Claimed | None:
    """What a claim's row says; None if the helper has left."""
    row = connection.execute(sa.select(shared_chunk).where(_claim == claim)).first()
    if row is None:
        return None
    is_out = row.held_until < database_now(connection)
    return Claimed(State(row.state), row.part or "", row.number or 0, row.files or {}, is_out)


def renew(connection: sa.Connection, claim: str) -> bool:
    """Keep a chunk for longer; False if the import does without."""
    until = database_now(connection) + HELD_MS
    return _change(connection, claim, State.GIVEN, {"held_until": until})


def note_files(connection: sa.Connection, claim: str, files: Mapping[str, str]) -> bool:
    """Name what is about to be stored, so that nobody removes it; False if the import does
    without.
    """
    return _change(connection, claim, State.GIVEN, {"files": dict(files)})


def note_stored(connection: sa.Connection, claim: str) -> bool:
    """The chunk is in the inbox; False if the import does without."""
    return _change(connection, claim, State.GIVEN, {"state": State.STORED.value})


def void(connection: sa.Connection, claim: str) -> None:
    """Do without a helper's chunk."""
    statement = sa.update(shared_chunk).where(_claim == claim)
    connection.execute(statement.values(state=State.VOID.value))


def void_if_out(connection: sa.Connection, claim: str) -> bool:
    """Do without a chunk whose helper has not been heard of for so long; False if it has been."""
    is_out = shared_chunk.c.held_until < database_now(connection)
    return _change(connection, claim, State.GIVEN, {"state": State.VOID.value}, is_out)


def forget(connection: sa.Connection, claim: str) -> None:
    """Nobody needs a claim any more."""
    connection.execute(sa.delete(shared_chunk).where(_claim == claim))


def names_content(connection: sa.Connection, content: str) -> bool:
    """Whether a claim names some content of the inbox."""
    names = sa.cast(shared_chunk.c.files, sa.Text).contains(content)
    return connection.execute(sa.select(_claim).where(names).limit(1)).first() is not None


def sweep_films(connection: sa.Connection) -> None:
    """Forget the films of dead imports, and the claims that nobody waits for."""
    now = database_now(connection)
    connection.execute(sa.delete(shared_film).where(sa.not_(_is_alive(now - KEPT_MS))))
    is_over = sa.or_(
        shared_chunk.c.state != State.STORED.value,
        shared_chunk.c.film.not_in(sa.select(shared_film.c.name)),
    )
    is_out = shared_chunk.c.held_until < now - KEPT_MS
    connection.execute(sa.delete(shared_chunk).where(is_out, is_over))


def _is_alive(now: int) -> sa.ColumnElement[bool]:
    return sa.exists().where(
        asset.c.key == shared_film.c.asset_key,
        asset.c.held_by == shared_film.c.held_by,
        asset.c.held_until > now,
    )


def _offered_by(name: str, held_by: str) -> tuple[sa.ColumnElement[bool], ...]:
    return (shared_film.c.name == name, shared_film.c.held_by == held_by)


def _void_all(connection: sa.Connection, film: str) -> None:
    statement = sa.update(shared_chunk).where(shared_chunk.c.film == film)
    connection.execute(statement.values(state=State.VOID.value))


def _change(
    connection: sa.Connection,
    claim: str,
    before: State,
    values: Mapping[str, object],
    *conditions: sa.ColumnElement[bool],
) -> bool:
    statement = (
        sa.update(shared_chunk)
        .where(_claim == claim, shared_chunk.c.state == before.value, *conditions)
        .values(**values)
        .returning(_claim)
    )
    return connection.execute(statement).first() is not None
