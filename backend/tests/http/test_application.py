"""How the framework is set up."""

from __future__ import annotations

from litestar.routes import HTTPRoute

from tests.conftest import Client


def test_the_framework_starts_no_task_for_a_dependency(client: Client) -> None:
    together = [
        len(batch)
        for route in client.application.framework.routes
        if isinstance(route, HTTPRoute)
        for _, parameters in route.route_handler_map.values()
        for batch in parameters.dependency_batches
    ]
    # It does for each of several that it may resolve together.
    assert set(together) == {1}
