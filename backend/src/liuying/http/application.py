"""The application: cached responses in front of the framework, files beside it, one place for
errors and limits.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import sqlalchemy as sa
from litestar.types import HTTPScope, LifeSpanScope, Receive, Send

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import Moment
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.embedding.service import token_key
from liuying.features.search.memory_index import MemoryIndex
from liuying.features.search.names_index import NamesIndex
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.saved_texts import SavedTexts
from liuying.features.site.service import read_identity
from liuying.http.access import AccessRules
from liuying.http.ad_counting import AdCounting
from liuying.http.change_watcher import ChangeWatcher
from liuying.http.counting import Counting
from liuying.http.failure_alarms import FailureAlarms
from liuying.http.files import DataFiles
from liuying.http.framework import (
    create_framework,
    dependencies_of,
    fixed_paths,
    uncached_paths,
)
from liuying.http.gate_settling import GateSettler
from liuying.http.health import PATHS, HealthAnswers, Readiness
from liuying.http.housekeeping import Housekeeping
from liuying.http.index_builder import IndexBuilder
from liuying.http.kept_assets import KeptAssets
from liuying.http.load_limit import LoadLimit
from liuying.http.measuring import ServerMetrics
from liuying.http.media_access import ACCESS_PATH, AccessAnswers, MediaAccess
from liuying.http.own_document import ForeignScript, foreign_scripts, read_document
from liuying.http.plain_views import PlainViews
from liuying.http.policy_reports import PolicyReports
from liuying.http.protected_media import ProtectedMedia
from liuying.http.ready_lists import ReadyLists
from liuying.http.response_cache import ResponseCache
from liuying.http.scheduled_publishing import ScheduledPublisher
from liuying.http.security_events import EVENTS, names_of_calls
from liuying.http.security_headers import REPORT_PATH, SecurityHeaders
from liuying.http.serving_processes import ServingProcesses
from liuying.http.standing import standing
from liuying.http.tamper_watch import TamperWatch
from liuying.http.view_aggregation import ViewAggregator
from liuying.http.web_files import PAGES, WebPages
from liuying.installation.services import Services, limits_of
from liuying.kit.changes import CacheTopic
from liuying.kit.request_id import REQUEST_ID, new_request_id
from liuying.kit.security_log import SecurityLog
from liuying.kit.single_runner import SingleRunner
from liuying.kit.web_files import HASHED_FOLDER, WebFiles
from liuying.pages.player import PlayInfos
from liuying.workflows.queries.processes import process_name

HASHED = f"/{HASHED_FOLDER}/"


class Application:
    """The whole server as one ASGI application."""

    def __init__(self, services: Services) -> None:
        self._services = services
        settings = services.settings
        web_pages = WebPages(settings.web_dir)
        headers = SecurityHeaders(
            settings.media_base,
            settings.framing_origins,
            settings.page_view_tool.origin,
            web_pages.inline_sources("script"),
            web_pages.inline_sources("style"),
            settings.hsts_seconds,
        )
        key = token_key(services.hashes) if settings.auth_required else None
        self.access = AccessRules(settings.allowed_origins, key, services.clock)
        self.limits = limits_of(services)
        self.orders = SortIndex(services.database, services.hashes)
        self._play_infos = PlayInfos(self.orders)
        saved = SavedTexts(services.layout.searched_texts, services.database, services.clock)
        self.texts = MemoryIndex(services.database, change_log, saved)
        self.names = NamesIndex(services.database)
        self._search_orders = ResultCache(self.texts, self.names)
        counting = Counting(services, self.limits)
        self.ad_counter = counting.ads
        self.framework = create_framework(
            dependencies_of(
                services, counting, self.orders, self._play_infos, self._search_orders, web_pages
            ),
            headers,
        )
        load = LoadLimit(PlainViews(self.framework, counting, lambda: headers.current))
        ready = ReadyLists(self.orders, settings.page_size, lambda: headers.current)
        unshared = uncached_paths(self.framework)
        self.response_cache = ResponseCache(
            load,
            self.access.vary,
            unshared,
            lambda: load.is_busy,
            ready.find,
            lambda: self._watcher.is_blind,
        )
        protected = ProtectedMedia(services.hashes, services.clock)
        media_access = MediaAccess(services.objects, services.database)
        self.data_files = DataFiles(
            services.objects, media_access, protected, settings.accel_prefix
        )
        self._access_answers = AccessAnswers(media_access, protected)
        self._web_files = WebFiles(settings.web_dir, PAGES)
        self._kept_assets = KeptAssets(services.database, services.clock, self._web_files)
        self.metrics = ServerMetrics(
            self.response_cache,
            self.data_files,
            services.database,
            services.clock,
            lambda: standing(self._runner, self._watcher, services.objects),
        )
        self._security_log = SecurityLog(
            services.hashes,
            services.clock,
            settings.proxy_trust,
            names_of_calls(fixed_paths(self.framework)),
            EVENTS,
        )
        self.readiness = Readiness(services.database, services.clock)
        self._health = HealthAnswers(self.readiness)
        self._watcher = ChangeWatcher(
            services.database,
            self._forget,
            headers.reread,
            self._follow,
            self._confirm,
            self.orders.doubt,
            self._begin_anew,
        )
        self._runner = SingleRunner(services.database)
        is_ours = self._runner.is_ours
        self._housekeeping = Housekeeping(services, is_ours)
        self._order_builder = IndexBuilder(services.database, self.orders, self.texts, self.names)
        self._ad_counting = AdCounting(self.ad_counter, services.database)
        self._processes = ServingProcesses(
            services.database,
            services.clock,
            process_name(settings.port),
            settings.seen_by_visitors,
        )
        self._settler = ViewAggregator(services.database, services.clock, is_ours)
        self._publisher = ScheduledPublisher(services.database, services.clock, is_ours)
        self._gate_settler = GateSettler(services, is_ours)
        self._tamper_watch = TamperWatch(services)
        self._inline_scripts = web_pages.inline_sources("script")
        self._policy_reports = PolicyReports(
            settings.proxy_trust, self._foreign_scripts, self._note_scripts
        )
        self._alarms = FailureAlarms(services.database, services.clock, settings.webhook, is_ours)

    def look_for_changes(self) -> None:
        """Notice at once what another process changed, instead of at the next look."""
        self._watcher.look_now()

    async def __call__(self, scope: HTTPScope | LifeSpanScope, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(cast("LifeSpanScope", scope), receive, send)
            return
        REQUEST_ID.set(new_request_id())
        noted = self._security_log.follow(scope, self.metrics.follow(scope, send))
        await self._answer(scope, receive, noted)

    async def _answer(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path.startswith(("/media/", "/enc/")):
            await self.data_files(scope, receive, send)
        elif path.startswith(ACCESS_PATH):
            await self._access_answers(scope, send)
        elif path == REPORT_PATH:
            await self._policy_reports(scope, receive, send)
        elif path in PATHS:
            await self._health(scope, send)
        elif path in self._web_files:
            await self._web_files.send(scope, send)
        elif path.startswith(HASHED) and await self._kept_assets.send(scope, send):
            return
        elif (admitted := await self.access.admit(scope, send)) is not None:
            await self.response_cache(scope, receive, admitted)

    def _follow(self, connection: sa.Connection, moment: Moment) -> None:
        self.orders.follow(connection, moment)
        self.texts.follow(connection, moment)

    def _confirm(self, of_catalogue: int, of_videos: int) -> bool:
        return self.texts.has_followed(of_videos) and self.orders.confirm(of_catalogue, of_videos)

    def _foreign_scripts(self) -> list[ForeignScript]:
        """Read the site's own document, through whatever stands in front of it."""
        origin = self._document_origin()
        return foreign_scripts(
            read_document(origin), origin, self._inline_scripts, self._web_files.__contains__
        )

    def _note_scripts(self, scripts: list[ForeignScript]) -> None:
        self._tamper_watch.note_scripts(self._document_origin(), scripts)

    def _document_origin(self) -> str:
        settings = self._services.settings
        with self._services.database.read() as connection:
            named = read_identity(connection).url or settings.site_origin
        return named or f"http://127.0.0.1:{settings.port}"

    def _begin_anew(self) -> None:
        self.orders.forget()
        self._play_infos.forget()
        self.texts.forget()
        self.names.forget()
        self._search_orders.forget()

    def _forget(self, topics: frozenset[CacheTopic]) -> None:
        # The headers of every cached response state who may frame the site.
        self.response_cache.drop(frozenset(CacheTopic) if CacheTopic.CONFIG in topics else topics)

    async def _live(self, scope: LifeSpanScope, receive: Any, send: Any) -> None:
        await self._kept_assets.begin()
        await self._watcher.begin()
        await self._order_builder.begin()
        beside = (
            self._watcher,
            self._order_builder,
            self._housekeeping,
            self._settler,
            self._publisher,
            self._gate_settler,
            self._alarms,
            self._tamper_watch,
            self._ad_counting,
            self._processes,
            self._kept_assets,
        )
        tasks = [asyncio.create_task(one.run()) for one in beside]
        try:
            await self.framework(scope, receive, send)
        finally:
            for task in tasks:
                task.cancel()
            # Together: each waits for its turn that is under way.
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            self._runner.close()
            for error in ended:
                if isinstance(error, Exception):
                    raise error
