"""All tables together, for comparison with the migrations."""

from __future__ import annotations

import liuying.core.catalogue.tables
import liuying.core.jobs.tables
import liuying.core.playback.tables
import liuying.core.visitors.tables
import liuying.features.ads.tables
import liuying.features.audit.tables
import liuying.features.embedding.tables
import liuying.features.favourites.tables
import liuying.features.feedback.tables
import liuying.features.maintenance.tables
import liuying.features.notices.tables
import liuying.features.operators.tables
import liuying.features.removals.tables
import liuying.features.reports.tables
import liuying.features.search.tables
import liuying.features.sharing.tables
import liuying.features.site.tables
import liuying.features.tabs.tables
import liuying.features.topics.tables
import liuying.features.uploads.tables
import liuying.features.views.tables
import liuying.kit.changes
import liuying.kit.object_records
import liuying.kit.provenance
import liuying.kit.repeated_writes
import liuying.kit.secret_fingerprints
import liuying.kit.shared_limits
import liuying.workflows.queries.database
import liuying.workflows.queries.integrity
import liuying.workflows.queries.pictures
import liuying.workflows.queries.processes
import liuying.workflows.queries.shared_films
import liuying.workflows.queries.web_assets  # noqa: F401  # each import registers its tables
from liuying.kit.database import metadata

__all__ = ["metadata"]
