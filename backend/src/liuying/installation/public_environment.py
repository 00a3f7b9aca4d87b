"""The settings of a site that serves in public behind nginx, as environment variables."""

from __future__ import annotations

import msgspec

from liuying.installation.nginx_files import ACCEL_PREFIX
from liuying.installation.settings import SECRETS, Settings

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def public_environment(settings: Settings, domain: str) -> dict[str, str]:
    """The settings of a site in public, by the variables' names: what serving behind the nginx of
    `nginx_site` asks for, and those of today's that are no secrets and not the default.
    """
    asked = {
        # An nginx on another machine needs others.
        "host": settings.host if settings.host not in LOOPBACK else "127.0.0.1",
        "trusted_proxies": settings.trusted_proxies or "127.0.0.1",
        "accel_prefix": "" if settings.store else ACCEL_PREFIX,
        "production": "true",
        "site_url": settings.site_url or (f"https://{domain}" if domain else ""),
    }
    default = Settings()
    kept = {
        name: _text(getattr(settings, name))
        for name in (field.name for field in msgspec.structs.fields(Settings))
        if name not in SECRETS and getattr(settings, name) != getattr(default, name)
    }
    values = {
        "port": str(settings.port),
        "data_dir": str(settings.data_dir),
        "web_dir": str(settings.web_dir),
        **kept,
        **asked,
    }
    plain = {"host": "HOST", "port": "PORT"}
    return {
        plain.get(name, f"LIUYING_{name.upper()}"): value for name, value in values.items() if value
    }


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
