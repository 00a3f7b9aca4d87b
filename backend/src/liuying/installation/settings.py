"""All that an operator may set, typed, and what follows from it; read by `environment`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec

from liuying.kit.analytics import Analytics, AnalyticsKind, parse_analytics
from liuying.kit.client_network import ProxyTrust
from liuying.kit.origins import is_loopback, parse_origin, parse_origins
from liuying.kit.s3_place import S3Place
from liuying.kit.storage_layout import StorageLayout
from liuying.kit.webhook import Webhook, parse_webhook

MAX_WORKERS = 64
STORE = re.compile(
    r"s3://(?P<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])"
    r"(?:/(?P<prefix>[A-Za-z0-9_-][A-Za-z0-9._-]{0,60}(?:/[A-Za-z0-9_-][A-Za-z0-9._-]{0,60}){0,4}))?/?"
)
ENDPOINT = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+")
# What nobody else may read: each may stand in a file instead, and is written into no configuration.
SECRETS = frozenset({"s3_access_key", "s3_secret_key", "secrets", "database_url", "webhook_secret"})
SEEN_BY_VISITORS = (
    "show_ads",
    "page_size",
    "media_base",
    "preroll_seconds",
    "hsts_seconds",
    "auth_required",
    "third_party",
    "login_video_switch",
    "site_url",
    "cors_origins",
    "frame_origins",
    "analytics",
    "analytics_url",
    "analytics_id",
    "plain_covers",
)
PACKAGE = Path(__file__).resolve().parents[1]
REPOSITORY = PACKAGE.parents[2]
# In a checkout the data are beside the code. An installed package contains the web application and
# uses the folder in which it is started.
IS_CHECKOUT = (REPOSITORY / "backend" / "pyproject.toml").is_file()
DATA_DIR = (REPOSITORY if IS_CHECKOUT else Path.cwd()) / "var"
WEB_DIR = REPOSITORY / "web" / "dist" if IS_CHECKOUT else PACKAGE / "web"
CONSOLE_DIR = REPOSITORY / "console" / "dist" if IS_CHECKOUT else PACKAGE / "console" / "web"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All that an operator may set. Each field is read from `LIUYING_<NAME>`; host and port also
    from `HOST`, `PORT`.

    Attributes:
        host: Address to listen on.
        port: TCP port; 0 takes a free one.
        data_dir: Folder of the database, media, pictures and secrets.
        database_url: SQLAlchemy address; empty means SQLite in the data folder.
        store: Where media, pictures and originals are: `s3://bucket`, perhaps with a prefix behind
            it; empty for the data folder.
        s3_endpoint: Origin of the S3 store; empty for Amazon's own.
        s3_region: The store's region.
        s3_access_key: Names who asks the store; may be in a file named by
            `LIUYING_S3_ACCESS_KEY_FILE`.
        s3_secret_key: Signs what it is asked; may be in a file likewise.
        secrets: Content of the file of secrets, which all machines share; empty for the data
            folder's own file, created at the first start.
        auto_migrate: Whether every start migrates; otherwise `liuying migrate` does, and a start
            only checks.
        drain_seconds: How long a server that is to end says so (`/readyz`) before it does.
        web_dir: Folder of the built web application.
        show_ads: Whether advertisements, banners and the tag strip are shown (`isShowAd`).
        page_size: Items a page of every list.
        media_base: Origin that serves `/media` and `/enc` when a CDN stands in front, without a
            trailing slash.
        preroll_seconds: Countdown of the advertisement before a video.
        trusted_proxies: Networks (CIDR, separated by commas) whose peers may say whom they speak
            for; none by default.
        client_header: The header in which a trusted proxy says it.
        connections_per_network: Open connections of one IPv4 address or IPv6 /64; trusted proxies
            have no such limit.
        production: Refuse to start where the secrets' file is not private.
        hsts_seconds: How long browsers that came by HTTPS are to come by nothing else (HSTS); 0
            for no such header.
        auth_required: All of `/api` but the configuration and the vendors' exchange needs a bearer
            token.
        third_party: The site is shown inside partners' pages (third-party mode of the client).
        login_video_switch: A guest who opens a video is sent to `/vendor`.
        site_url: Origin of the full site, for "open the full site" inside a frame.
        cors_origins: Origins (separated by commas) whose pages may call `/api`; none by default.
        frame_origins: Origins that may frame the site, beside the active vendors' own.
        analytics: The tool to which the client reports page views; none by default.
        analytics_url: Where its reports are sent.
        analytics_id: The site or the property there.
        metrics_port: TCP port of the listener for metrics; 0 for none.
        metrics_host: Address of that listener.
        webhook_url: Is told when a video fails for many; empty for nobody.
        webhook_secret: Signs what it is told.
        webhook_legacy_signature: Also signs as version 0.1 did.
        workers: Files of the import queue that the server works on at a time; 0 leaves them to
            `liuying worker`.
        plain_covers: Whether the cards of shared links show videos' real covers, for anybody to
            read; a locked video's never does.
        keep_originals: Whether the operator's files are kept in the data folder after their import.
        accel_prefix: Where nginx has the protected media as an internal location; empty without
            nginx.
        console_port: TCP port of the operator's console; 0 for none.
        console_host: Address of that listener.
        console_origin: Where operators open the console, `https://console.example`; empty for
            `http://localhost` with the port.
        console_dir: Folder of the built console.
        upload_gb: The largest file that the console takes, in GB (10^9 bytes).
        backup_dir: Folder of the backups that the console makes; empty for `backups` in the data
            folder.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8000
    data_dir: Path = DATA_DIR
    database_url: str = ""
    store: str = ""
    s3_endpoint: str = ""
    s3_region: str = "us-east-1"
    s3_access_key: str = ""
    s3_secret_key: str = ""
    secrets: str = ""
    auto_migrate: bool = True
    drain_seconds: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0
    web_dir: Path = WEB_DIR
    show_ads: bool = True
    page_size: Annotated[int, msgspec.Meta(ge=4, le=96)] = 24
    media_base: Annotated[str, msgspec.Meta(pattern=r"^(https?://[^/\s]+)?$")] = ""
    preroll_seconds: Annotated[int, msgspec.Meta(ge=0, le=60)] = 5
    trusted_proxies: str = ""
    client_header: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9-]{1,60}$")] = "x-forwarded-for"
    connections_per_network: Annotated[int, msgspec.Meta(ge=16, le=100_000)] = 512
    production: bool = False
    hsts_seconds: Annotated[int, msgspec.Meta(ge=0, le=63_072_000)] = 0
    auth_required: bool = False
    third_party: bool = False
    login_video_switch: bool = False
    site_url: str = ""
    cors_origins: str = ""
    frame_origins: str = ""
    analytics: AnalyticsKind = "none"
    analytics_url: str = ""
    analytics_id: str = ""
    metrics_port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0
    metrics_host: str = "127.0.0.1"
    webhook_url: str = ""
    webhook_secret: str = ""
    webhook_legacy_signature: bool = False
    workers: Annotated[int, msgspec.Meta(ge=0, le=MAX_WORKERS)] = 1
    keep_originals: bool = False
    plain_covers: bool = False
    accel_prefix: Annotated[str, msgspec.Meta(pattern=r"^(/[a-z0-9_-]{1,40})?\Z")] = ""
    console_port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0
    console_host: str = "127.0.0.1"
    console_origin: str = ""
    console_dir: Path = CONSOLE_DIR
    upload_gb: Annotated[int, msgspec.Meta(ge=1, le=5000)] = 100
    backup_dir: str = ""

    @property
    def layout(self) -> StorageLayout:
        """Where everything lies in the data folder."""
        return StorageLayout(self.data_dir)

    @property
    def backups(self) -> Path:
        """Folder of the backups that the console makes; it need not exist yet."""
        return Path(self.backup_dir).absolute() if self.backup_dir else self.layout.backups

    @property
    def database(self) -> str:
        """The database's address, never empty."""
        return self.database_url or f"sqlite:///{self.layout.database}"

    @property
    def s3_place(self) -> S3Place | None:
        """The bucket of media, pictures and originals; None if they are in the data folder.

        Raises:
            ValueError: It is not fully given. The message says what is missing, in Chinese.
        """
        if not self.store:
            return None
        found = STORE.fullmatch(self.store)
        if found is None:
            raise ValueError("LIUYING_STORE 应为 s3://桶 或 s3://桶/前缀，或留空使用数据文件夹")
        endpoint = self.s3_endpoint.removesuffix("/")
        if endpoint and ENDPOINT.fullmatch(endpoint) is None:
            raise ValueError("LIUYING_S3_ENDPOINT 应为 https://主机 或 http://主机:端口")
        for name in ("s3_access_key", "s3_secret_key"):
            if not getattr(self, name):
                raise ValueError(
                    f"LIUYING_STORE 是 S3，还需要 LIUYING_{name.upper()}"
                    f"（或 LIUYING_{name.upper()}_FILE）"
                )
        return S3Place(
            bucket=found["bucket"],
            prefix=found["prefix"] or "",
            endpoint=endpoint,
            region=self.s3_region,
            access_key=self.s3_access_key,
            secret_key=self.s3_secret_key,
        )

    @property
    def seen_by_visitors(self) -> dict[str, str]:
        """Settings that must be the same for all processes of a site, as texts by name."""
        return {name: str(getattr(self, name)) for name in SEEN_BY_VISITORS}

    @property
    def secrets_name(self) -> str:
        """Where the secrets are, for people."""
        return "LIUYING_SECRETS 的密钥" if self.secrets else f"密钥文件 {self.layout.secrets}"

    @property
    def site_origin(self) -> str:
        """The full site's origin; empty if not set."""
        return (
            parse_origin(self.site_url.strip().removesuffix("/")) if self.site_url.strip() else ""
        )

    @property
    def allowed_origins(self) -> frozenset[str]:
        """Origins whose pages may call `/api`."""
        return frozenset(parse_origins(self.cors_origins))

    @property
    def framing_origins(self) -> tuple[str, ...]:
        """Origins that the settings allow to frame the site."""
        return parse_origins(self.frame_origins)

    @property
    def page_view_tool(self) -> Analytics:
        """The tool that counts page views."""
        return parse_analytics(self.analytics, self.analytics_url, self.analytics_id)

    @property
    def console_address(self) -> str:
        """The origin at which operators open the console.

        Raises:
            ValueError: It is no origin, or has an address instead of a name: browsers refuse
                passkeys there. The message is in Chinese.
        """
        if not self.console_origin.strip():
            return f"http://localhost:{self.console_port}"
        origin = parse_origin(self.console_origin.strip().removesuffix("/"))
        host = urlsplit(origin).hostname or ""
        if host.startswith("[") or host.replace(".", "").replace(":", "").isdigit() or ":" in host:
            raise ValueError(
                "LIUYING_CONSOLE_ORIGIN 应为域名或 localhost，不能是 IP 地址：浏览器不允许在 IP "
                "地址上使用通行密钥"
            )
        return origin

    @property
    def is_console_exposed(self) -> bool:
        """Whether the console would be reached from other machines without TLS."""
        return not is_loopback(self.console_host) and self.console_address.startswith("http:")

    @property
    def webhook(self) -> Webhook | None:
        """The receiver to notify when a video fails for many."""
        return parse_webhook(
            self.webhook_url,
            self.webhook_secret,
            is_signed_as_before=self.webhook_legacy_signature,
        )

    @property
    def proxy_trust(self) -> ProxyTrust:
        """Whose forwarding header is trusted."""
        return ProxyTrust(
            (one.strip() for one in self.trusted_proxies.split(",") if one.strip()),
            self.client_header,
        )
