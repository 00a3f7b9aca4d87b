"""Partners' codes: everything about them must be right, and each opens one session."""

from __future__ import annotations

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import jwt
import msgspec
import pytest
import sqlalchemy as sa

from liuying.features.embedding import queries, rules, service
from liuying.features.embedding.rules import CodeRefusedError, is_valid_token, sign_code
from liuying.features.embedding.schemas import Perks
from liuying.features.embedding.tables import used_code
from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError, NotFoundError
from tests.catalogue_factory import NOW
from tests.conftest import Client

SECOND = NOW // 1000
PERKS = Perks(
    ws_url="wss://acme.example/ws", promo_url="https://acme.example/p", ad="", activity=""
)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Partner(msgspec.Struct, frozen=True):
    """A partner with what its own server knows."""

    id: str
    key: bytes


@pytest.fixture
def acme(filled: Services) -> Partner:
    hashes = filled.hashes
    with filled.database.write() as connection:
        service.add_vendor(
            connection, hashes, "other", "别家", "https://other.example", Perks(), NOW
        )
        service.add_vendor(
            connection, hashes, "acme", "艾克米", "https://ACME.example:443", PERKS, NOW
        )
    return partner(filled, "acme")


def partner(services: Services, vendor_id: str) -> Partner:
    with services.database.read() as connection:
        key = service.get_signing_key(connection, services.hashes, vendor_id)
    return Partner(vendor_id, key)


def key_of(vendor: Partner) -> bytes:
    return vendor.key


def claims(**changed: Any) -> dict[str, Any]:
    said = {
        "iss": "acme",
        "aud": "liuying",
        "sub": "u1001",
        "cid": "c7",
        "jti": "one",
        "iat": SECOND,
        "exp": SECOND + 60,
        **changed,
    }
    return {name: value for name, value in said.items() if value is not None}


def signed(
    vendor: Partner, said: dict[str, Any], algorithm: str = "HS256", key: bytes | None = None
) -> str:
    return jwt.encode(
        said, key_of(vendor) if key is None else key, algorithm=algorithm, headers={"kid": "acme"}
    )


def exchange(client: Client, code: object) -> tuple[int, Any]:
    answer = client.request("POST", "/api/vendor/exchange", None, {"code": code})
    return answer.status_code, answer.json()


def test_a_code_opens_one_session(client: Client, acme: Partner) -> None:
    code = signed(acme, claims())
    status, answer = exchange(client, code)
    assert status == 200
    session = answer["rescont"]
    assert session["xbbBonus"] == {
        "isGuest": False,
        "domain": "https://acme.example",
        "userid": "u1001",
        "cid": "c7",
        "wsUrl": "wss://acme.example/ws",
        "promoUrl": "https://acme.example/p",
        "ad": "",
        "activity": "",
        "loginVideoSwitch": False,
    }
    token_key = service.token_key(client.services.hashes)
    assert is_valid_token(session["token"], token_key, NOW + 7_199_000)
    assert not is_valid_token(session["token"], token_key, NOW + 7_200_000)
    assert exchange(client, code) == (401, {"code": 401, "msg": rules.REFUSED, "rescont": []})


WRONG: list[dict[str, Any]] = [
    {"iss": "other"},
    {"iss": None},
    {"aud": "elsewhere"},
    {"aud": None},
    {"sub": None},
    {"sub": ""},
    {"sub": "x" * 65},
    {"sub": "a\nb"},
    {"sub": 7},
    {"cid": 7},
    {"jti": None},
    {"jti": ""},
    {"jti": "a b"},
    {"jti": "x" * 65},
    {"iat": None},
    {"exp": None},
    {"iat": SECOND - 61, "exp": SECOND - 1},
    {"iat": SECOND - 61, "exp": SECOND + 1},
    {"iat": SECOND - 60, "exp": SECOND},
    {"exp": SECOND + 61},
    {"iat": SECOND + 6},
    {"iat": True},
    {"iat": float(SECOND)},
    {"iat": str(SECOND)},
    {"exp": 10**400},
    {"nbf": SECOND + 30},
    {"exp": SECOND},
]


def unchecked(vendor: Partner, said: dict[str, Any]) -> str:
    """A code signed with the right key, whatever it says; the library would refuse to make some of
    them.
    """
    header = {"alg": "HS256", "typ": "JWT", "kid": "acme"}
    parts = [
        base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=") for one in (header, said)
    ]
    signature = jwt.get_algorithm_by_name("HS256").sign(b".".join(parts), key_of(vendor))
    return b".".join([*parts, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()


def test_every_claim_must_be_right(client: Client, acme: Partner) -> None:
    for changed in WRONG:
        assert exchange(client, unchecked(acme, claims(**changed)))[0] == 401, changed
    # The key and the form are right: it was the claims.
    assert exchange(client, unchecked(acme, claims()))[0] == 200


def test_the_signature_must_be_right(client: Client, acme: Partner) -> None:
    good = signed(acme, claims())
    head, body, signature = good.split(".")
    none_head = base64.urlsafe_b64encode(b'{"alg":"none","kid":"acme"}').decode().rstrip("=")
    deep = base64.urlsafe_b64encode(b'{"kid":' + b"[" * 3000).decode().rstrip("=")
    other = partner(client.services, "other")
    refused = [
        signed(acme, claims(), key=b"x" * 32),
        signed(acme, claims(), key=key_of(other)),
        signed(acme, claims(), "HS512", key_of(acme) * 2),
        f"{head}.{body}.",
        f"{head}.{body}",
        f"{none_head}.{body}.",
        f"{none_head}.{body}.{signature}",
        f"{deep}.{body}.{signature}",
        f"{head}.{base64.urlsafe_b64encode(b'[]').decode()}.{signature}",
        good.replace(body, body[:-2] + "AA"),
        "",
        "a.b.c",
        "é" * 50,
        "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
        good + "A" * 5000,
    ]
    assert [exchange(client, code)[0] for code in refused] == [401] * len(refused)
    assert exchange(client, 7)[0] == 422
    assert exchange(client, good)[0] == 200


def test_every_altered_sign_is_refused(client: Client, acme: Partner) -> None:
    good = signed(acme, claims())
    for place in range(0, len(good), 3):
        sign = "A" if good[place] != "A" else "B"
        changed = good[:place] + sign + good[place + 1 :]
        # The last sign of a part may hold bits that mean nothing: then it is the same code, and
        # would be used up.
        if place + 1 < len(good) and good[place] != "." and good[place + 1] != ".":
            client.application.limits.reset()
            assert exchange(client, changed)[0] == 401, place


def test_codes_of_a_rotated_key_and_a_removed_partner(client: Client, acme: Partner) -> None:
    with client.services.database.write() as connection:
        service.rotate_key(connection, client.services.hashes, "acme")
    fresh = partner(client.services, "acme")
    assert exchange(client, signed(acme, claims()))[0] == 401
    assert exchange(client, signed(fresh, claims()))[0] == 200
    with client.services.database.write() as connection:
        service.remove_vendor(connection, "acme")
    assert exchange(client, signed(fresh, claims(jti="two")))[0] == 401


def test_a_code_used_at_once_opens_one_session(filled: Services, acme: Partner) -> None:
    code = sign_code("acme", key_of(acme), "u1", "", "raced", NOW)
    barrier = Barrier(6)

    def race(_: int) -> bool:
        with filled.database.read() as connection:
            said = service.check_code(connection, filled.hashes, code, NOW)[1]
        barrier.wait()
        try:
            with filled.database.write() as connection:
                service.use_code(connection, said)
        except CodeRefusedError:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(race, range(6))) == 1


def test_used_codes_are_pruned_when_they_are_void(filled: Services, acme: Partner) -> None:
    code = sign_code("acme", key_of(acme), "u1", "", "once", NOW)
    with filled.database.write() as connection:
        service.use_code(connection, service.check_code(connection, filled.hashes, code, NOW)[1])
        assert queries.prune_codes(connection, NOW + 59_000) == 0
        assert queries.prune_codes(connection, NOW + 60_000) == 1
        assert connection.execute(sa.select(used_code)).first() is None
        with pytest.raises(CodeRefusedError):
            service.check_code(connection, filled.hashes, code, NOW + 60_000)


def test_a_session_token_is_no_code_and_a_code_no_token(client: Client, acme: Partner) -> None:
    code = signed(acme, claims())
    token = exchange(client, code)[1]["rescont"]["token"]
    assert exchange(client, token)[0] == 401
    assert not is_valid_token(code, key_of(acme), NOW)


@pytest.mark.parametrize("vendor_id", ["", "a", "Acme", "a b", "-a", "a" * 33, "ä1", "a\n"])
def test_bad_ids_are_refused(filled: Services, vendor_id: str) -> None:
    with filled.database.write() as connection, pytest.raises(InvalidInputError):
        service.add_vendor(
            connection, filled.hashes, vendor_id, "名", "https://a.example", Perks(), NOW
        )


def test_an_id_is_taken_once(filled: Services, acme: Partner) -> None:
    with filled.database.write() as connection, pytest.raises(InvalidInputError, match="已被使用"):
        service.add_vendor(
            connection, filled.hashes, acme.id, "名", "https://a.example", Perks(), NOW
        )
    with filled.database.read() as connection, pytest.raises(NotFoundError):
        service.get_vendor(connection, "nobody")


@pytest.mark.parametrize("address", ["javascript:alert(1)", "//x", "https://a b", "https://a\n"])
def test_perks_are_addresses(address: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"ad": address}, Perks)
