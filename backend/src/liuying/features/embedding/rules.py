"""Pure rules of partners: the claims of their codes, and session tokens
(docs/product.md#embedding).
"""

from __future__ import annotations

import re
from typing import Any

import jwt
import msgspec

from liuying.kit.clock import Milliseconds
from liuying.kit.errors import UnauthorizedError
from liuying.kit.limits import MINUTE, Limit, Rule

# The only algorithm, here and in codes: a token's header cannot choose another.
ALGORITHM = "HS256"
AUDIENCE = "liuying"
TOKEN_AUDIENCE = "liuying-session"  # noqa: S105  # a name, not a secret
TOKEN_TYPE = "session"  # noqa: S105  # as above
MAX_CODE_S = 60
# Clocks differ between servers: a code may appear to come from this far in the future.
SKEW_S = 5
TOKEN_S = 2 * 3600
MAX_CODE_LENGTH = 4096
REFUSED = "登录凭证无效或已过期，请从合作方页面重新进入"
REQUIRED = ["iss", "aud", "sub", "jti", "iat", "exp"]
VENDOR_ID = re.compile(r"[a-z0-9][a-z0-9-]{1,31}")
JTI = re.compile(r"[\x21-\x7e]{1,64}")
MAX_NAME_LENGTH = 64
EXCHANGES = Limit("vendor exchange", (Rule(60, MINUTE),))


class CodeRefusedError(UnauthorizedError):
    """A code or token is refused; the reason is not revealed."""

    def __init__(self) -> None:
        super().__init__(REFUSED)


class CodeClaims(msgspec.Struct, frozen=True):
    """The claims that a partner vouches for.

    Attributes:
        vendor_id: The partner whose key signed it.
        userid: The partner's id of its visitor.
        cid: The partner's channel; may be empty.
        jti: Makes the code single-use.
        expires: Seconds since 1970.
    """

    vendor_id: str
    userid: str
    cid: str
    jti: str
    expires: int


def vendor_of(code: str) -> str:
    """The partner that a code names; until its signature is verified, nothing else of it is
    trusted.

    Raises:
        CodeRefusedError: It names no partner.
    """
    if len(code) > MAX_CODE_LENGTH:
        raise CodeRefusedError
    try:
        header = jwt.get_unverified_header(code)
        named = header.get("kid") or jwt.decode(code, options={"verify_signature": False}).get(
            "iss"
        )
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
        raise CodeRefusedError from None
    if (
        header.get("alg") != ALGORITHM
        or not isinstance(named, str)
        or VENDOR_ID.fullmatch(named) is None
    ):
        raise CodeRefusedError
    return named


def read_code(code: str, vendor_id: str, key: bytes, now: Milliseconds) -> CodeClaims:
    """The claims of a code, once its signature and all claims are verified.

    Raises:
        CodeRefusedError: Verification failed.
    """
    claims = _verified(code, key, AUDIENCE, vendor_id)
    moment = now // 1000
    issued, expires = _second(claims["iat"]), _second(claims["exp"])
    is_timely = moment - MAX_CODE_S <= issued <= moment + SKEW_S and moment < expires
    not_before = _second(claims["nbf"]) if "nbf" in claims else issued
    if not is_timely or not 0 < expires - issued <= MAX_CODE_S or not_before > moment + SKEW_S:
        raise CodeRefusedError
    jti = claims["jti"]
    if not isinstance(jti, str) or JTI.fullmatch(jti) is None:
        raise CodeRefusedError
    return CodeClaims(
        vendor_id,
        _name(claims["sub"], least=1),
        _name(claims.get("cid", ""), least=0),
        jti,
        expires,
    )


def sign_code(
    vendor_id: str, key: bytes, userid: str, cid: str, jti: str, now: Milliseconds
) -> str:
    """Sign a code as a partner's server does."""
    moment = now // 1000
    claims = {
        "iss": vendor_id,
        "aud": AUDIENCE,
        "sub": userid,
        "cid": cid,
        "jti": jti,
        "iat": moment,
        "exp": moment + MAX_CODE_S,
    }
    return jwt.encode(claims, key, algorithm=ALGORITHM, headers={"kid": vendor_id})


def give_token(key: bytes, claims: CodeClaims, now: Milliseconds) -> tuple[str, int]:
    """Issue a session's bearer token; returns it and the second at which it expires."""
    expires = now // 1000 + TOKEN_S
    said = {
        "iss": claims.vendor_id,
        "aud": TOKEN_AUDIENCE,
        "sub": claims.userid,
        "jti": claims.jti,
        "iat": now // 1000,
        "exp": expires,
    }
    return jwt.encode(said, key, algorithm=ALGORITHM, headers={"typ": TOKEN_TYPE}), expires


def is_valid_token(token: str, key: bytes, now: Milliseconds) -> bool:
    """Whether a bearer token was issued here and has not expired."""
    if len(token) > MAX_CODE_LENGTH:
        return False
    try:
        claims = _verified(token, key, TOKEN_AUDIENCE, None)
        return _second(claims["iat"]) <= now // 1000 + SKEW_S and now // 1000 < _second(
            claims["exp"]
        )
    except CodeRefusedError:
        return False


def _verified(code: str, key: bytes, audience: str, issuer: str | None) -> dict[str, Any]:
    # The caller compares times with our own clock.
    checks: dict[str, Any] = {
        "require": REQUIRED,
        "verify_exp": False,
        "verify_iat": False,
        "verify_nbf": False,
    }
    try:
        claims: dict[str, Any] = jwt.decode(
            code,
            key,
            algorithms=[ALGORITHM],
            audience=audience,
            issuer=issuer,
            options=checks,  # type: ignore[arg-type]  # the library's own dictionary type, by its keys
        )
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
        raise CodeRefusedError from None
    return claims


def _second(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**40:
        raise CodeRefusedError
    return value


def _name(value: object, *, least: int) -> str:
    if (
        not isinstance(value, str)
        or not least <= len(value) <= MAX_NAME_LENGTH
        or not value.isprintable()
    ):
        raise CodeRefusedError
    return value
