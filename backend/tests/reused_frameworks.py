"""Frameworks that go from one test to the next: to read the signatures of all handlers takes a
fifth of a second, more than most tests take besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from litestar import Litestar
from litestar.di import Provide

from liuying.http import application
from liuying.http.framework import create_framework
from liuying.http.security_headers import SecurityHeaders

_FREE: list[Litestar] = []


def take(dependencies: dict[str, Provide], headers: SecurityHeaders) -> Litestar:
    """A free framework, bound anew, or a new one."""
    if not _FREE:
        return create_framework(dependencies, headers)
    framework = _FREE.pop()
    assert framework.dependencies.keys() == dependencies.keys()
    for name, wanted in dependencies.items():
        given = framework.dependencies[name]
        assert isinstance(given, Provide)
        given.dependency = wanted.dependency
    framework.before_send[:] = [headers.add]
    return framework


@contextmanager
def reusing() -> Iterator[None]:
    """Applications made in the block `take` their framework; all else of them is new."""
    with patch.object(application, "create_framework", take):
        yield


def free(framework: Litestar) -> None:
    """Nobody calls its application any more."""
    _FREE.append(framework)
