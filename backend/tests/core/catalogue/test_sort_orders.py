"""Sort orders and addresses of lists."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from liuying.core.catalogue.list_address import (
    SHARE_PATH,
    ListQuery,
    category_path,
    first_page_address,
    read_call,
    read_screen,
)
from liuying.core.catalogue.rules import SHARE_CATEGORY
from liuying.core.catalogue.sort_orders import DEFAULT_SORT_ORDER, SORT_ORDERS, SortOrder
from liuying.core.catalogue.tables import video
from liuying.kit.identifiers import MAX_ID
from liuying.kit.paging import Place

ORDERS = st.sampled_from(sorted(SORT_ORDERS))


@pytest.mark.parametrize("order", SORT_ORDERS)
def test_an_order_sorts_by_a_column_of_whole_numbers_that_is_never_empty(order: SortOrder) -> None:
    column = video.c[SORT_ORDERS[order].column]
    assert isinstance(column.type, sa.Integer)
    assert not column.nullable


def test_texts_differ_and_the_default_is_an_order() -> None:
    assert len({one.text for one in SORT_ORDERS.values()}) == len(SORT_ORDERS)
    assert DEFAULT_SORT_ORDER in SORT_ORDERS


@given(st.integers(0, 999_999_999), ORDERS)
def test_a_screen_and_its_first_call_are_the_same_list(category: int, order: SortOrder) -> None:
    asked = ListQuery(category, order)
    assert read_screen(f"/list?typeId={category}&orderby={order}".encode()) == asked
    path, _, query = first_page_address(category, order).partition("?")
    assert read_call(path, query) == asked


@given(st.integers(0, MAX_ID), ORDERS, st.integers(1, 1_000_000), st.integers(-(10**15), 10**15))
def test_a_call_is_read_as_it_is_written(
    category: int, order: SortOrder, page: int, score: int
) -> None:
    query = f"orderby={order}&after={score}_7&page={page}&uuid=1"
    read = read_call(category_path(category), query)
    assert read == ListQuery(category, order, page, f"{score}_7")
    assert read.page_request(24).after == Place(score, 7)


def test_the_list_of_share_videos_names_its_category_or_means_73() -> None:
    assert read_call(SHARE_PATH, "") == ListQuery(SHARE_CATEGORY, DEFAULT_SORT_ORDER)
    assert read_call(SHARE_PATH, "type=5") == ListQuery(5, DEFAULT_SORT_ORDER)


@pytest.mark.parametrize(
    "query",
    [
        "orderby=old",
        "page=0",
        "page=01",
        "page=1000001",
        "after=x",
        "uuid=2",
        "x=1",
        "page=1&page=2",
    ],
)
def test_any_other_spelling_is_the_frameworks(query: str) -> None:
    assert read_call(category_path(3), query) is None


@pytest.mark.parametrize(
    "target",
    ["/list", "/list?typeId=3", "/list?typeId=03&orderby=new", "/list?orderby=new&typeId=3"],
)
def test_only_the_applications_own_spelling_is_a_screen(target: str) -> None:
    assert read_screen(target.encode()) is None
