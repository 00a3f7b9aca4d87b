"""Addresses that the operator gives: full ones, or paths of the site that nothing can turn into
others.
"""

from __future__ import annotations

import pytest

from liuying.kit.errors import InvalidInputError
from liuying.kit.links import is_site_path, require_link, require_safe_link


@pytest.mark.parametrize(
    "path",
    ["/topic?id=3", "/list?typeId=3&orderby=new", "/searchList?search=%E9%9B%AA", "/find/rank"],
)
def test_paths_of_the_site_may_be_linked(path: str) -> None:
    assert require_link(f" {path} ") == path
    with pytest.raises(InvalidInputError):
        require_safe_link(path)


@pytest.mark.parametrize(
    "path",
    [
        "//example.com",
        "/\\example.com",
        "/a//example.com",
        "/..//example.com",
        "/./a",
        "/a\tb",
        "/a b",
        "/#x",
        "/中",
        "topic?id=3",
        "",
    ],
)
def test_what_could_be_read_as_another_address_is_no_path_of_the_site(path: str) -> None:
    assert not is_site_path(path)
    with pytest.raises(InvalidInputError):
        require_link(path)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://user@example.com/", "ftp://a/"])
def test_other_schemes_stay_refused(url: str) -> None:
    with pytest.raises(InvalidInputError):
        require_link(url)


def test_a_path_is_as_long_as_an_address_may_be() -> None:
    with pytest.raises(InvalidInputError):
        require_link("/" + "a" * 500)
