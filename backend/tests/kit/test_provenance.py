"""Noting which rows a package made."""

from __future__ import annotations

import pytest

from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError
from liuying.kit.provenance import INSTALLATION, ids_made_by, note_made, refuse_made_up


def test_rows_are_noted_once_by_package_and_kind(services: Services) -> None:
    with services.database.write() as connection:
        note_made(connection, "demo", "video", [3, 5])
        note_made(connection, "demo", "video", [5, 7])
        note_made(connection, "other", "video", [9])
        assert ids_made_by(connection, "demo", "video") == {3, 5, 7}
        assert ids_made_by(connection, "demo", "artist") == set()
        refuse_made_up(connection)


def test_only_an_installation_that_is_made_up_as_a_whole_is_closed(services: Services) -> None:
    with services.database.write() as connection:
        note_made(connection, "bench", INSTALLATION, [2_500])
        with pytest.raises(InvalidInputError, match="不能导入真实视频"):
            refuse_made_up(connection)
