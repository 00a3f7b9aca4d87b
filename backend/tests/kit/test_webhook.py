"""The webhook: signed, to one address, and nothing followed."""

from __future__ import annotations

import hashlib
import hmac
import socket
from base64 import b64encode
from collections.abc import Iterator

import msgspec
import pytest

from liuying.kit import webhook
from liuying.kit.webhook import Webhook, WebhookError, parse_webhook
from tests.receiver import Receiver, receiving

SECRET = "a secret of the operator"  # noqa: S105 - the tests' own
NOW = 1_795_000_000_500


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as opened:
        yield opened


def test_a_message_is_signed(receiver: Receiver) -> None:
    Webhook(receiver.url, SECRET).send({"text": "海"}, NOW)
    (told,) = receiver.told
    assert (told.path, told.headers["content-type"]) == ("/hook?key=1", "application/json")
    assert msgspec.json.decode(told.body) == {"text": "海"}
    number, stamp = told.headers["webhook-id"], told.headers["webhook-timestamp"]
    assert (number[:4], stamp) == ("msg_", "1795000000")
    signed = f"{number}.{stamp}.".encode() + told.body
    expected = b64encode(hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()).decode()
    assert told.headers["webhook-signature"] == f"v1,{expected}"
    assert not any(name.startswith("x-liuying") for name in told.headers)


def test_a_signature_is_that_of_the_standard() -> None:
    """The example of the specification (standard-webhooks, spec/standard-webhooks.md)."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - the specification's
    body = b'{"test": 2432232314}'
    number, stamp = "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330"
    assert (
        webhook.sign(secret, number, stamp, body) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


def test_who_asks_for_it_gets_the_former_signature_too(receiver: Receiver) -> None:
    Webhook(receiver.url, SECRET, is_signed_as_before=True).send({"text": "海"}, NOW)
    (told,) = receiver.told
    assert told.headers["x-liuying-timestamp"] == "1795000000"
    expected = hmac.new(SECRET.encode(), b"1795000000." + told.body, hashlib.sha256).hexdigest()
    assert told.headers["x-liuying-signature"] == f"sha256={expected}"
    assert told.headers["webhook-signature"].startswith("v1,")


@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 500])
def test_anything_but_success_is_an_error_and_redirects_are_not_followed(
    receiver: Receiver, status: int
) -> None:
    receiver.status, receiver.location = status, receiver.url.replace("hook", "elsewhere")
    with pytest.raises(WebhookError, match=f"对方回答 {status}"):
        Webhook(receiver.url, SECRET).send({}, NOW)
    assert len(receiver.told) == 1


def test_who_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "TIMEOUT_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/secret-path"
        with pytest.raises(WebhookError, match="无法送达：TimeoutError") as caught:
            Webhook(url, SECRET).send({}, NOW)
    assert "secret-path" not in str(caught.value)
    with pytest.raises(WebhookError, match="无法送达：ConnectionRefusedError"):
        Webhook(url, SECRET).send({}, NOW)


@pytest.mark.parametrize(
    "url",
    [
        "https://ops.example/hook",
        "https://ops.example:8443/a/b?key=x&y=%20",
        "https://ops.example",
        "http://127.0.0.1:9000/",
        "http://[::1]:9000/x",
        "http://localhost/x",
    ],
)
def test_good_addresses(url: str) -> None:
    assert parse_webhook(url, SECRET) == Webhook(url, SECRET)


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("http://ops.example/hook", SECRET),
        ("http://10.0.0.1/hook", SECRET),
        ("http://127.0.0.1.evil.example/", SECRET),
        ("http://localhost@evil.example/", SECRET),
        ("https://user:password@ops.example/", SECRET),
        ("https://ops.example/#x", SECRET),
        ("https://ops.example/a b", SECRET),
        ("https://ops.example\\@evil.example/", SECRET),
        ("https://ops.example:99999/", SECRET),
        ("https://ops.example:x/", SECRET),
        ("https:///hook", SECRET),
        ("https://[abc/x", SECRET),
        ("https://[:::]/x", SECRET),
        ("https://域名.example/", SECRET),
        ("ftp://ops.example/", SECRET),
        ("file:///etc/passwd", SECRET),
        ("https://ops.example/" + "x" * 500, SECRET),
        ("https://ops.example/\r\nx: y", SECRET),
        ("https://ops.example/", ""),
        ("https://ops.example/", "short"),
        ("https://ops.example/", "whsec_no base64 at all"),
        ("", SECRET),
    ],
)
def test_bad_addresses_and_secrets(url: str, secret: str) -> None:
    with pytest.raises(ValueError, match="LIUYING_WEBHOOK_"):
        parse_webhook(url, secret)


def test_no_address_is_no_webhook() -> None:
    assert parse_webhook(" ", "") is None
