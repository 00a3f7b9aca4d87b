"""Frameworks that go from one test to the next: to read the signatures of all handlers takes a
fifth of a second, more than most tests take besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from litestar import Litestar
from litestar.di import Provide

from liuying.console import application as console
from liuying.console.access import Gate
from liuying.console.application import create_framework as create_console
from liuying.console.maintenance.attendant import Attendant
from liuying.console.uploads.handing_over import HandingOver
from liuying.http import application as site
from liuying.http.framework import create_framework
from liuying.http.security_headers import SecurityHeaders
from liuying.installation.services import Services
from liuying.kit.limits import Limits

# What handlers of the console ask for; the first three are made anew, the others hold nothing.
CONSOLE = {"gate", "handing_over", "attendant", "services", "operator", "actor"}
_FREE: list[Litestar] = []
_FREE_CONSOLES: list[tuple[Litestar, Gate]] = []


def take(dependencies: dict[str, Provide], headers: SecurityHeaders) -> Litestar:
    """A free framework of the site, bound anew, or a new one."""
    if not _FREE:
        return create_framework(dependencies, headers)
    framework = _FREE.pop()
    assert framework.dependencies.keys() == dependencies.keys()
    for name, wanted in dependencies.items():
        _provided(framework, name).dependency = wanted.dependency
    framework.before_send[:] = [headers.add]
    return framework


def _take_console(services: Services, limits: Limits) -> tuple[Litestar, Gate]:
    if not _FREE_CONSOLES:
        return create_console(services, limits)
    framework, gate = _FREE_CONSOLES.pop()
    assert framework.dependencies.keys() == CONSOLE
    # The framework knows these three; they begin anew, as the others do that a test makes.
    Gate.__init__(gate, services, limits)
    HandingOver.__init__(_value(framework, "handing_over"), services)
    Attendant.__init__(_value(framework, "attendant"), services)
    _provided(framework, "services").dependency = lambda: services
    return framework, gate


def _provided(framework: Litestar, name: str) -> Provide:
    found = framework.dependencies[name]
    assert isinstance(found, Provide)
    return found


def _value(framework: Litestar, name: str) -> Any:
    return _provided(framework, name).dependency()


@contextmanager
def reusing() -> Iterator[None]:
    """Applications made in the block take a free framework where there is one; all else of them is
    new.
    """
    with (
        patch.object(site, "create_framework", take),
        patch.object(console, "create_framework", _take_console),
    ):
        yield


def free(framework: Litestar) -> None:
    """Nobody calls its application any more."""
    assert framework not in _FREE
    _FREE.append(framework)


def free_console(framework: Litestar, gate: Gate) -> None:
    """Nobody calls its application any more."""
    assert (framework, gate) not in _FREE_CONSOLES
    _FREE_CONSOLES.append((framework, gate))
