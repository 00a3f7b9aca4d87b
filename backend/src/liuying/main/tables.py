"""All tables together: what a migration is compared with."""

from __future__ import annotations

import liuying.domains.ads.tables
import liuying.domains.catalogue.tables
import liuying.domains.embedding.tables
import liuying.domains.favourites.tables
import liuying.domains.feedback.tables
import liuying.domains.jobs.tables
import liuying.domains.notices.tables
import liuying.domains.playback.tables
import liuying.domains.search.tables
import liuying.domains.sharing.tables
import liuying.domains.tabs.tables
import liuying.domains.topics.tables
import liuying.domains.views.tables
import liuying.domains.visitors.tables
import liuying.kit.changes
import liuying.workflows.seeding.mark  # noqa: F401  # each import registers its tables
from liuying.kit.database import metadata

__all__ = ["metadata"]
