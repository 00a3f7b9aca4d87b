"""A bucket of any S3 store, as the client sees it: how long it may take, what its errors mean, and
an object open for reading.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from threading import Lock
from typing import Any

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    NotFoundError,
    NotSupportedError,
    PermissionDeniedError,
    UnauthenticatedError,
)
from obstore.store import S3Store as Bucket

from liuying.kit.object_store import ObjectStoreError, ObjectStoreRefusedError
from liuying.kit.s3_place import S3Place

# Whoever reads at least so much will read on: it is fetched at once.
LARGE_READ, READ_AHEAD = 128 * 1024, 1024 * 1024
# Visitors wait for reads, nobody for writes: seconds until one request is given up, and within
# which it may be repeated.
READ_S, READ_RETRY_S = 8.0, 4.0
WRITE_S, WRITE_RETRY_S = 30.0, 15.0
CONNECT_S = 2.0
REFUSED = "对象存储拒绝了访问：请检查 LIUYING_S3_ACCESS_KEY、LIUYING_S3_SECRET_KEY 和它们的权限"
NO_BUCKET = "对象存储里没有 LIUYING_STORE 写的桶，请先建立它"
UNREACHABLE = "对象存储没有回答，或回答了错误"
STATUS = re.compile(r"status code: (\d{3})")
NOT_IMPLEMENTED = re.compile(r"status code: 501|<Code>NotImplemented</Code>")
CODE = re.compile(r"<Code>(\w{1,60})</Code>")


def bucket_of(place: S3Place, request_s: float, retry_s: float) -> Bucket:
    """A client of a bucket.

    Args:
        request_s: Seconds until a request is given up.
        retry_s: Seconds within which it may be repeated.
    """
    options: dict[str, Any] = {}
    if place.endpoint:
        # Hosts of a store of one's own seldom have a name for every bucket.
        options = {"endpoint": place.endpoint, "virtual_hosted_style_request": False}
    make = partial(Bucket, place.bucket, prefix=place.prefix or None, region=place.region)
    return make(
        access_key_id=place.access_key,
        secret_access_key=place.secret_key,
        client_options={
            "allow_http": True,
            "connect_timeout": timedelta(seconds=CONNECT_S),
            "timeout": timedelta(seconds=request_s),
        },
        retry_config={
            "max_retries": 3,
            "retry_timeout": timedelta(seconds=retry_s),
            "backoff": {
                "init_backoff": timedelta(milliseconds=100),
                "max_backoff": timedelta(seconds=2),
                "base": 2,
            },
        },
        **options,
    )


def try_bucket(place: S3Place, content: bytes) -> bool:
    """Write an object that nothing else uses, read and remove it, before a bucket is chosen.

    Returns:
        Whether what was read is what was written.

    Raises:
        ObjectStoreError: The bucket does not exist, may not be used, or does not answer.
    """
    bucket = bucket_of(place, WRITE_S, WRITE_RETRY_S)
    key = f"trial/{secrets.token_hex(8)}"
    with Asking()():
        obstore.put(bucket, key, content, use_multipart=False)
        try:
            return bytes(obstore.get(bucket, key).bytes()) == content
        finally:
            obstore.delete(bucket, key)


class Asking:
    """Asking a bucket: turns the client's errors into the port's, and counts them.

    Attributes:
        failures: What was not answered so far, by reason: `refused` is for wrong settings, anything
            else `away`.
    """

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter()
        self._lock = Lock()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """One question.

        Raises:
            ObjectStoreError: It was not answered.
        """
        try:
            yield
        except (NotFoundError, AlreadyExistsError, NotSupportedError):
            raise
        except (PermissionDeniedError, UnauthenticatedError) as error:
            raise self._counted(ObjectStoreRefusedError(REFUSED)) from error
        except BaseError as error:
            said = str(error)
            if NOT_IMPLEMENTED.search(said):
                raise NotSupportedError(said) from error
            raise self._counted(_fault_of(said)) from error

    def _counted(self, fault: ObjectStoreError) -> ObjectStoreError:
        with self._lock:
            self.failures["refused" if isinstance(fault, ObjectStoreRefusedError) else "away"] += 1
        return fault


def _fault_of(said: str) -> ObjectStoreError:
    """What went wrong, from the client's text: it has the store's own code where it answered."""
    status, code = STATUS.search(said), CODE.search(said)
    if code is not None and code[1] == "NoSuchBucket":
        return ObjectStoreRefusedError(NO_BUCKET)
    if status is not None and status[1] in {"401", "403"}:
        return ObjectStoreRefusedError(REFUSED)
    detail = code[1] if code is not None else f"HTTP {status[1]}" if status is not None else ""
    return ObjectStoreError(f"{UNREACHABLE}（{detail}）" if detail else UNREACHABLE)


class S3Object:
    """An object of a bucket; each read is a request, but for what an earlier one brought along.

    Args:
        bucket: Where it is.
        key: Its key.
        size: Bytes.
        asking: Counts what is not answered.
    """

    def __init__(self, bucket: Bucket, key: str, size: int, asking: Asking) -> None:
        self._bucket = bucket
        self._asking = asking
        self._key = key
        self.size = size
        self._end = size
        self._held, self._held_from = b"", 0

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from an offset on."""
        end = min(offset + length, self.size)
        if offset >= end:
            return b""
        if not self._held_from <= offset <= end <= self._held_from + len(self._held):
            ahead = READ_AHEAD if length >= LARGE_READ else 0
            stop = max(end, min(offset + ahead, self._end))
            with self._asking():
                found = obstore.get_range(self._bucket, self._key, start=offset, end=stop)
            self._held, self._held_from = bytes(found), offset
        start = offset - self._held_from
        return self._held[start : start + end - offset]

    def end_reading_at(self, end: int) -> None:
        """Read ahead no further than this."""
        self._end = min(end, self.size)

    def close(self) -> None:
        """Nothing is open."""
        self._held = b""
