"""Partners' signing keys: never in clear in the database, nor in what SQLite leaves behind."""

from __future__ import annotations

import base64
import secrets

import pytest
import sqlalchemy as sa

from liuying.features.embedding import service
from liuying.features.embedding.rules import CodeRefusedError, sign_code
from liuying.features.embedding.schemas import Perks
from liuying.features.embedding.tables import vendor
from liuying.installation.migrating import bring_up_to_date
from liuying.installation.services import Services
from liuying.kit.encrypted_values import UnreadableValueError, ValueEncryptor
from liuying.kit.errors import InvalidInputError
from liuying.kit.keyed_hashes import KeyedHashes
from tests.catalogue_factory import NOW


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def add(services: Services, vendor_id: str) -> bytes:
    with services.database.write() as connection:
        service.add_vendor(
            connection, services.hashes, vendor_id, "名", "https://a.example", Perks(), NOW
        )
    return key_of(services, vendor_id)


def key_of(services: Services, vendor_id: str) -> bytes:
    with services.database.read() as connection:
        return service.get_signing_key(connection, services.hashes, vendor_id)


def stored(services: Services, vendor_id: str) -> str:
    with services.database.read() as connection:
        return str(
            connection.execute(sa.select(vendor.c.key).where(vendor.c.id == vendor_id)).scalar()
        )


def store(services: Services, vendor_id: str, key: str) -> None:
    with services.database.write() as connection:
        connection.execute(sa.update(vendor).where(vendor.c.id == vendor_id).values(key=key))


def files_hold(services: Services, clear: str) -> bool:
    """Whether a text stands in any file of the database."""
    return any(
        clear.encode() in path.read_bytes() for path in services.data_dir.glob("liuying.db*")
    )


def test_a_new_key_is_stored_encrypted(services: Services) -> None:
    key = add(services, "acme")
    assert len(key) == 32
    assert stored(services, "acme").startswith("v1.")
    assert not files_hold(services, base64.b64encode(key).decode())
    assert add(services, "other") != key


def test_keys_in_clear_are_encrypted_by_the_next_start(services: Services, engine: str) -> None:
    add(services, "acme")
    clear = base64.b64encode(secrets.token_bytes(32)).decode()
    # More rows than one page holds, so that the row moves while it is changed.
    for number in range(40):
        add(services, f"other{number}")
    store(services, "acme", clear)
    if engine == "sqlite":
        assert files_hold(services, clear)
    # A key in clear is read until then: a process of the old version may have written it.
    assert base64.b64encode(key_of(services, "acme")).decode() == clear
    for _ in range(2):
        bring_up_to_date(services)
        assert stored(services, "acme").startswith("v1.")
        assert not files_hold(services, clear)
        assert base64.b64encode(key_of(services, "acme")).decode() == clear


def test_a_key_that_does_not_open_opens_nothing(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    key = add(services, "acme")
    add(services, "other")
    code = sign_code("acme", key, "u1", "", "one", NOW)
    kept = stored(services, "acme")
    empty = sign_code("acme", b"x" * 32, "u1", "", "one", NOW)
    for changed in (
        kept[:-6] + ("AAAAAA" if not kept.endswith("AAAAAA") else "BBBBBB"),
        stored(services, "other"),  # of another partner
        "",
        "v1.",
        "v2." + kept[3:],
        "QUJD",
    ):
        store(services, "acme", changed)
        for tried in (code, empty):
            with services.database.read() as connection, pytest.raises(CodeRefusedError):
                service.check_code(connection, services.hashes, tried, NOW)
        assert "the signing key of the partner acme does not open" in caplog.text
        with pytest.raises(InvalidInputError, match="无法解密") as refused:
            key_of(services, "acme")
        assert refused.value.command == "liuying vendor rotate-key acme"
        bring_up_to_date(services)  # which leaves it as it is
        assert stored(services, "acme") == changed
    with services.database.read() as connection:
        assert len(service.list_vendors(connection)) == 2
    with services.database.write() as connection:
        service.rotate_key(connection, services.hashes, "acme")
    assert key_of(services, "acme") != key


def test_a_value_opens_with_its_own_secrets_purpose_and_place() -> None:
    hashes = KeyedHashes(b"p" * 32)
    sealed = ValueEncryptor(hashes, "vendor-key").encrypt("acme", b"plain")
    assert ValueEncryptor(hashes, "vendor-key").decrypt("acme", sealed) == b"plain"
    for encryptor, place in (
        (ValueEncryptor(KeyedHashes(b"q" * 32), "vendor-key"), "acme"),
        (ValueEncryptor(hashes, "webhook"), "acme"),
        (ValueEncryptor(hashes, "vendor-key"), "other"),
    ):
        with pytest.raises(UnreadableValueError):
            encryptor.decrypt(place, sealed)
