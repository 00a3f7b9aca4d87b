"""Headers of every document and answer (docs/security.md#t8, docs/security.md#t9,
docs/security.md#t20, docs/security.md#t23).
"""

from __future__ import annotations

import sqlalchemy as sa
from litestar.types import Message, Scope

from liuying.features.embedding.queries import active_origins
from liuying.kit.origins import unique
from liuying.kit.representation import Header

# Where browsers report what the policy kept from running (`http/policy_reports.py`).
REPORT_PATH = "/csp-report"


class SecurityHeaders:
    """The current headers: who may frame the site changes with the partners, without a restart.

    Args:
        media_base: Origin of the CDN, or empty.
        frame_origins: Origins that the settings allow to frame the site.
        analytics_origin: Where page views are reported, or empty.
        scripts: Hashes of the documents' inline scripts.
        styles: Hashes of their inline styles.
        hsts_seconds: How long browsers are to come by HTTPS only; 0 to leave them to choose. They
            ignore it where they came by HTTP.
    """

    def __init__(
        self,
        media_base: str,
        frame_origins: tuple[str, ...],
        analytics_origin: str = "",
        scripts: tuple[str, ...] = (),
        styles: tuple[str, ...] = (),
        hsts_seconds: int = 0,
    ) -> None:
        self._media_base = media_base
        self._frame_origins = frame_origins
        self._analytics_origin = analytics_origin
        self._scripts = scripts
        self._styles = styles
        # RFC 6797. Not for subdomains: they may be somebody else's.
        self._transport: tuple[Header, ...] = (
            ((b"strict-transport-security", b"max-age=%d" % hsts_seconds),) if hsts_seconds else ()
        )
        self._headers = self._compose(())

    def reread(self, connection: sa.Connection) -> None:
        """Reread the partners' rows."""
        self._headers = self._compose(active_origins(connection))

    @property
    def current(self) -> tuple[Header, ...]:
        """The headers of every answer, as of now."""
        return self._headers

    async def add(self, message: Message, _: Scope) -> None:
        """Add the headers to an answer of the framework; one without a cache policy must not be
        stored.
        """
        if message["type"] != "http.response.start":
            return
        names = {name.lower() for name, _ in message["headers"]}
        headers = [*message["headers"], *self._headers]
        if b"cache-control" not in names:
            headers.append((b"cache-control", b"no-store"))
        message["headers"] = headers

    def _compose(self, partners: tuple[str, ...]) -> tuple[Header, ...]:
        cdn = f" {self._media_base}" if self._media_base else ""
        policy = {
            "default-src": "'self'",
            "script-src": " ".join(("'self'", *self._scripts)),
            "style-src": " ".join(("'self'", *self._styles)),
            "worker-src": "'self' blob:",
            "img-src": f"'self' blob: data:{cdn}",
            "media-src": f"'self' blob:{cdn}",
            "connect-src": " ".join(
                one for one in ("'self'", self._media_base, self._analytics_origin) if one
            ),
            "object-src": "'none'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "report-uri": REPORT_PATH,
            "frame-ancestors": " ".join(unique(("'self'", *self._frame_origins, *partners))),
        }
        return (
            (
                b"content-security-policy",
                "; ".join(f"{name} {value}" for name, value in policy.items()).encode(),
            ),
            (b"referrer-policy", b"same-origin"),
            (b"x-content-type-options", b"nosniff"),
            *self._transport,
        )
