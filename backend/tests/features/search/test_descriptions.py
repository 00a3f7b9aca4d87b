"""Videos are found by their description, after all that are found by what lists show of them."""

from __future__ import annotations

import pytest

from liuying.core.catalogue.queries.listing import every_listed_id
from liuying.features.search.result_cache import ResultCache
from liuying.installation.services import Services
from liuying.workflows.editing import edit_video
from liuying.workflows.indexing import check_index
from liuying.workflows.video_meta import GivenMeta

WORD = "潮间带生物"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def numbers(filled: Services) -> list[int]:
    """Three listed videos."""
    with filled.database.read() as connection:
        return sorted(every_listed_id(connection))[:3]


def found(
    services: Services, keyword: str, offset: int = 0, limit: int = 10
) -> tuple[list[int], int]:
    with services.database.read() as connection:
        ids, total = ResultCache().find(connection, keyword, offset, limit)
    return list(ids), total


def test_titles_come_before_descriptions(filled: Services, numbers: list[int]) -> None:
    first, second, third = numbers
    edit_video(filled, first, GivenMeta(description=f"第一行\n关于{WORD}的一切"))
    edit_video(filled, second, GivenMeta(description=f"{WORD}和它们的一天"))
    edit_video(filled, third, GivenMeta(title=f"认识{WORD}", description=WORD))
    ids, total = found(filled, WORD)
    assert (ids[0], set(ids), total) == (third, set(numbers), 3)
    pages = [found(filled, WORD, offset, 1)[0] for offset in range(4)]
    assert [one for page in pages for one in page] == ids
    # A longer word than its pairs: what has the pairs apart is none.
    assert found(filled, "生物间带")[1] == 0
    with filled.database.read() as connection:
        assert check_index(connection).is_right


def test_a_changed_description_is_followed(filled: Services, numbers: list[int]) -> None:
    edit_video(filled, numbers[0], GivenMeta(description=WORD))
    assert found(filled, WORD)[1] == 1
    edit_video(filled, numbers[0], GivenMeta(description="别的"))
    assert found(filled, WORD)[1] == 0
    with filled.database.read() as connection:
        assert check_index(connection).is_right
