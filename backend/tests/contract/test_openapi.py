"""Every call against the committed OpenAPI document: what is not documented must not be
answered.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import CheckFunction
from schemathesis.core.result import Ok
from schemathesis.python.asgi import shutdown_lifespans
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from liuying.http.application import Application
from liuying.installation.services import Services
from liuying.installation.settings import REPOSITORY
from liuying.kit.visitor_code import CODE
from tests.conftest import DATABASE, drop_database, open_copy

pytestmark = pytest.mark.contract
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "200"))
SCHEMA = schemathesis.openapi.from_path(str(REPOSITORY / "contracts" / "openapi.json"))

# A schema cannot say that a new code must differ from the current one, or that one reason alone
# wants an explanation.
EXCLUDED: dict[str, list[CheckFunction]] = {
    "POST /api/visitor/code": [positive_data_acceptance],
    "POST /api/report": [positive_data_acceptance],
}


def excluded_for(label: str, case: schemathesis.Case[Any]) -> list[CheckFunction]:
    """What is not checked of one case."""
    said = [
        case.body.get("uuid") if isinstance(case.body, dict) else None,
        (case.query or {}).get("uuid"),
    ]
    if any(isinstance(code, str) and CODE.fullmatch(code) for code in said):
        # The document asks for the header, but a code in the body or the query serves as well:
        # either is enough.
        return [*EXCLUDED.get(label, []), negative_data_rejection]
    return EXCLUDED.get(label, [])


class Behind:
    """Stands for the application until a test has made one: operations are read when the tests are
    collected.
    """

    application: Application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.application(scope, receive, send)


BEHIND = Behind()
SCHEMA.app = BEHIND
OPERATIONS = {
    found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)
}


@pytest.fixture(scope="module")
def contract_services(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Services]:
    """A catalogue of its own, on the database and the store that are chosen."""
    folder: Path = tmp_path_factory.mktemp("contract")
    services = open_copy(folder, DATABASE, request, is_filled=True)
    yield services
    services.database.close()
    if url := services.settings.database_url:
        drop_database(url)


@pytest.fixture(scope="module", autouse=True)
def application(contract_services: Services) -> Iterator[None]:
    """Puts an application behind the document, which ends before its database is closed."""
    BEHIND.application = Application(contract_services)
    yield
    shutdown_lifespans()


@pytest.mark.parametrize("label", OPERATIONS)
def test_every_call(label: str) -> None:
    operation = OPERATIONS[label]
    cases = st.one_of(
        operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE),
        operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE),
    )

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def check(case: schemathesis.Case[Any]) -> None:
        BEHIND.application.limits.reset()
        case.call_and_validate(excluded_checks=excluded_for(label, case))

    check()
