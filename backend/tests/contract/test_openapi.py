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
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from liuying.http.application import Application
from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import REPOSITORY, Settings
from liuying.kit.visitor_code import CODE
from tests.catalogue_factory import NOW, fill_catalogue

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


@pytest.fixture(scope="module", autouse=True)
def application(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Puts an application on a catalogue of its own behind the document."""
    folder: Path = tmp_path_factory.mktemp("contract")
    services = open_services(Settings(data_dir=folder, web_dir=folder / "web"), clock=lambda: NOW)
    migrate(services.database)
    with services.database.write() as connection:
        fill_catalogue(connection)
    BEHIND.application = Application(services)
    yield
    services.database.close()


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
