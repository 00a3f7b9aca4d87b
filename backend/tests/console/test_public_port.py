"""What visitors reach answers nothing of the console, and what they hold opens none of it."""

from __future__ import annotations

import json
from itertools import product

import pytest
from litestar.routes import HTTPRoute

from liuying.features.embedding.service import token_key
from liuying.installation.services import Services
from tests.conftest import Client
from tests.console.desk import Desk

# What scanners of admin pages ask for (MacCMS, WordPress, phpMyAdmin, Jellyfin and others).
FIRST = """
admin admin.php administrator manage manager console control cms wp-admin wp-login.php login
login.php signin auth backend back houtai guanli dede maccms system sys root panel cpanel
dashboard operator owner staff user users account session sessions passkey passkeys enter api
api/v1 api/admin api/console api/session api/manage api/auth internal private secret hidden
_admin _console .admin liuying liuying-console audit logs
""".split()  # noqa: SIM905  # so they can be read
SECOND = """
/ /login /index.html /index.php /login.php /api /api/login /api/session /api/session/link
/api/overview /api/doctor /api/audit /session /sessions /link /enter /users /config /settings
/upload /uploads /files /backup /restore /export /audit /doctor /jobs /videos /video/1 /ads
/notices /feedback /stats /status /health /debug /env /.env /.git/config /console /admin
/assets/index.js /assets/console.js /main.js /app.js /manifest.json /favicon.ico /robots.txt
/openapi.json /schema /schema/openapi.json /docs /swagger /graphql /passkeys /passkeys/options
/session/passkey /session/passkey/options /version /ping /install /install.php /setup /update
/upgrade /phpinfo.php /shell /shell.php /cmd /exec /eval /token /tokens /keys /key /secrets
/secrets.json /db /database /sql /dump /dump.sql /cache /logs /log /trace /metrics /actuator
/actuator/env /web /static /dist /src /test /tests
""".split()  # noqa: SIM905  # as above


@pytest.fixture
def filled(services: Services) -> Services:
    """Empty: nothing that visitors see matters here."""
    return services


def test_5000_guessed_paths_of_the_public_port_answer_nothing_of_the_console(
    client: Client,
) -> None:
    (document := client.services.settings.web_dir).mkdir()
    (document / "shell.html").write_text("<head><!--head--><!--/head--></head>网站")
    guessed = [f"/{first}{second}" for first, second in product(FIRST, ["", *SECOND])]
    assert len(set(guessed)) >= 5000
    console = Desk(client.services)
    names = {
        name
        for route in console.application.framework.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for name in (str(handler.operation_id), str(handler.summary))
    }
    # Titles that the site's own calls have too tell nothing.
    public = json.dumps(client.application.framework.openapi_schema.to_schema(), default=str)
    ids = {name for name in names if name.startswith("console")}
    names = ids | {name for name in names if name not in public}
    told = []
    for path in guessed:
        answer = client.get(path)
        assert answer.status_code < 500, path
        assert "set-cookie" not in answer.headers, path
        if any(word in answer.text for word in ("控制台", "passkey", "console_", *names)):
            told.append(path)
    assert told == []
    console.close()


def test_no_call_of_the_console_is_one_of_the_public_port(client: Client) -> None:
    console = Desk(client.services)
    # Of the same name and another meaning: the site's topics.
    of_the_site = {("/api/topics", "GET")}
    for route in console.application.framework.routes:
        if not isinstance(route, HTTPRoute) or route.path.startswith("/api/schema"):
            continue
        for handler in route.route_handlers:
            for method in handler.http_methods - {"OPTIONS", "HEAD"}:
                if (route.path, method) in of_the_site:
                    continue
                answer = client.request(str(method), route.path.replace("{", "").split(":")[0])
                assert answer.status_code in {404, 405}, route.path
    console.close()


def test_whatever_a_visitor_holds_opens_no_session(client: Client) -> None:
    desk = Desk(client.services)
    key = token_key(client.services.hashes)
    for stolen in ("abcdefghijkl", key.hex(), "A" * 43):
        for name in ("liuying_console", "__Host-liuying_console"):
            refused = desk.request("GET", "/api/session", headers={"cookie": f"{name}={stolen}"})
            assert refused.status_code == 401
        bearer = {"authorization": f"Bearer {stolen}", "x-visitor-code": "abcdefghijkl"}
        assert desk.request("GET", "/api/session", headers=bearer).status_code == 401
    desk.close()


def test_a_session_of_the_console_is_nothing_to_the_public_port(client: Client) -> None:
    desk = Desk(client.services)
    desk.log_in()
    header = {"cookie": "; ".join(f"{name}={value}" for name, value in desk.cookies.items())}
    for path in ("/api/session", "/api/overview", "/api/audit"):
        assert client.get(path, header).status_code == 404
    desk.close()
