"""The rows by which machines share a long film: who is asked, who has which chunk, and for how
long.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.playback.queries import holds
from liuying.core.playback.tables import asset
from liuying.installation.services import Services
from liuying.workflows.catalogue_rows import register_asset
from liuying.workflows.queries import shared_films
from liuying.workflows.queries.shared_films import KEPT_MS, SharedFilm, State

NAME, KEY, OWNER, PC, VERSION = "content-plan", "a1b2c3", "one", "x86_64", "1.0"
FILM = SharedFilm(
    name=NAME,
    asset_key=KEY,
    held_by=OWNER,
    content="c" * 64,
    machine=PC,
    version=VERSION,
    offer="{}",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def rows(services: Services) -> Iterator[sa.Connection]:
    """With a film that is offered by a living import."""
    with services.database.write() as connection:
        register_asset(connection, KEY, "c" * 64, "film.mp4", is_protected=False)
        hold(connection, OWNER)
        shared_films.offer_film(connection, FILM, 0)
        yield connection


def hold(connection: sa.Connection, owner: str) -> None:
    connection.execute(sa.update(asset).values(held_by=None, held_until=None))
    assert holds.take(connection, KEY, owner, 60_000)


def let_pass(connection: sa.Connection, milliseconds: int) -> None:
    """As if so much time had passed since each claim was renewed."""
    table = shared_films.shared_chunk
    connection.execute(sa.update(table).values(held_until=table.c.held_until - milliseconds))


def helped(connection: sa.Connection) -> list[str]:
    return shared_films.films_to_help(connection, PC, VERSION, ())


def state(connection: sa.Connection, claim: str) -> State | None:
    found = shared_films.claimed(connection, claim)
    return None if found is None else found.state


def given(connection: sa.Connection, claim: str) -> str:
    shared_films.ask(connection, claim, NAME)
    assert shared_films.give(connection, claim, "low", 2)
    return claim


def test_a_film_is_helped_with_while_its_import_lives(rows: sa.Connection) -> None:
    assert helped(rows) == [NAME]
    assert shared_films.living_film(rows, NAME) == FILM
    hold(rows, "another")
    assert helped(rows) == []
    assert shared_films.living_film(rows, NAME) is None
    assert not shared_films.may_live(rows, NAME)
    hold(rows, OWNER)
    assert helped(rows) == [NAME]
    rows.execute(sa.update(asset).values(held_until=0))  # its process is gone
    assert helped(rows) == []


def test_films_that_cannot_be_helped_with_are_left_out(rows: sa.Connection) -> None:
    assert shared_films.films_to_help(rows, "aarch64", VERSION, ()) == []
    assert shared_films.films_to_help(rows, PC, "1.1", ()) == []
    assert shared_films.films_to_help(rows, PC, VERSION, [NAME]) == []
    assert not shared_films.note_free_part(rows, NAME, "another", None)
    assert helped(rows) == [NAME]
    assert shared_films.note_free_part(rows, NAME, OWNER, None)
    assert helped(rows) == []
    assert shared_films.may_live(rows, NAME)


def test_first_renditions_of_all_films_come_first(rows: sa.Connection) -> None:
    other = msgspec.structs.replace(FILM, name="other")
    shared_films.offer_film(rows, other, 0)
    assert helped(rows) == [NAME, "other"]
    shared_films.note_free_part(rows, NAME, OWNER, 1)
    assert helped(rows) == ["other", NAME]


def test_a_film_outlives_a_database_that_fails_over(rows: sa.Connection) -> None:
    """Its import could not renew its hold, and does so as soon as it can."""
    rows.execute(sa.update(asset).values(held_until=asset.c.held_until - 60_000 - KEPT_MS + 2000))
    shared_films.sweep_films(rows)
    assert helped(rows) == []
    assert shared_films.may_live(rows, NAME)
    assert holds.renew(rows, KEY, OWNER, 60_000)
    assert helped(rows) == [NAME]
    rows.execute(sa.update(asset).values(held_until=asset.c.held_until - 60_000 - KEPT_MS - 2000))
    assert not shared_films.may_live(rows, NAME)
    shared_films.sweep_films(rows)
    assert holds.renew(rows, KEY, OWNER, 60_000)
    assert helped(rows) == []


def test_whoever_asks_is_given_one_chunk_once(rows: sa.Connection) -> None:
    shared_films.ask(rows, "a", NAME)
    assert shared_films.asked(rows, NAME, OWNER) == ["a"]
    assert shared_films.asked(rows, NAME, "another") == []
    assert shared_films.give(rows, "a", "low", 2)
    assert not shared_films.give(rows, "a", "low", 3)
    assert shared_films.asked(rows, NAME, OWNER) == []
    found = shared_films.claimed(rows, "a")
    assert found is not None
    assert (found.state, found.part, found.number, found.is_out) == (State.GIVEN, "low", 2, False)
    assert shared_films.note_files(rows, "a", {"360.mp4": "f" * 64})
    assert shared_films.names_content(rows, "f" * 64)
    assert shared_films.note_stored(rows, "a")
    found = shared_films.claimed(rows, "a")
    assert found is not None
    assert (found.state, found.files) == (State.STORED, {"360.mp4": "f" * 64})
    shared_films.forget(rows, "a")
    assert shared_films.claimed(rows, "a") is None
    assert not shared_films.names_content(rows, "f" * 64)


def test_nobody_answers_who_does_not_wait_any_more(rows: sa.Connection) -> None:
    shared_films.ask(rows, "a", NAME)
    let_pass(rows, shared_films.HELD_MS + 1000)
    assert shared_films.asked(rows, NAME, OWNER) == []


def test_a_helper_that_stood_still_loses_its_chunk(rows: sa.Connection) -> None:
    claim = given(rows, "a")
    assert not shared_films.void_if_out(rows, claim)
    let_pass(rows, shared_films.HELD_MS - 1000)
    assert shared_films.renew(rows, claim)
    let_pass(rows, shared_films.HELD_MS - 1000)
    assert not shared_films.void_if_out(rows, claim)
    let_pass(rows, 2000)
    found = shared_films.claimed(rows, claim)
    assert found is not None
    assert found.is_out
    assert shared_films.void_if_out(rows, claim)
    for late in (
        shared_films.renew(rows, claim),
        shared_films.note_files(rows, claim, {"360.mp4": "f" * 64}),
        shared_films.note_stored(rows, claim),
    ):
        assert not late
    assert not shared_films.names_content(rows, "f" * 64)


def test_another_import_of_the_film_waits_for_nobody(rows: sa.Connection) -> None:
    """Its folder may be on another machine: what was given before is not known there."""
    claim = given(rows, "a")
    hold(rows, "another")
    shared_films.offer_film(rows, msgspec.structs.replace(FILM, held_by="another"), 0)
    assert state(rows, claim) is State.VOID
    later = given(rows, "b")
    # The first one goes on after it stood still.
    shared_films.note_free_part(rows, NAME, OWNER, None)
    shared_films.withdraw_film(rows, NAME, OWNER)
    assert helped(rows) == [NAME]
    assert state(rows, later) is State.GIVEN
    shared_films.withdraw_film(rows, NAME, "another")
    assert helped(rows) == []
    assert state(rows, later) is State.VOID


def test_what_the_dead_left_is_swept(rows: sa.Connection) -> None:
    stored, lost = given(rows, "a"), given(rows, "b")
    assert shared_films.note_files(rows, stored, {"360.mp4": "e" * 64})
    assert shared_films.note_stored(rows, stored)
    assert shared_films.note_files(rows, lost, {"360.mp4": "f" * 64})
    let_pass(rows, shared_films.HELD_MS + KEPT_MS - 1000)
    shared_films.sweep_films(rows)
    # Its helper may still be storing it.
    assert state(rows, lost) is State.GIVEN
    let_pass(rows, 2000)
    shared_films.sweep_films(rows)
    assert state(rows, lost) is None
    # Its import will fetch it.
    assert state(rows, stored) is State.STORED
    assert helped(rows) == [NAME]
    rows.execute(sa.update(asset).values(held_until=0))
    shared_films.sweep_films(rows)
    assert rows.execute(sa.select(shared_films.shared_film)).all() == []
    assert state(rows, stored) is None
