"""Where a bucket is. Apart from the store itself: reading the settings does not load its client."""

from __future__ import annotations

import msgspec


class S3Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a bucket is, and who asks.

    Attributes:
        bucket: Its name.
        prefix: Before every key, without slashes at its ends; may be empty.
        endpoint: Origin of the store; empty for Amazon's own.
        region: The store's.
        access_key: Names who asks.
        secret_key: Signs the requests.
    """

    bucket: str
    prefix: str = ""
    endpoint: str = ""
    region: str = "us-east-1"
    access_key: str = ""
    secret_key: str = ""
