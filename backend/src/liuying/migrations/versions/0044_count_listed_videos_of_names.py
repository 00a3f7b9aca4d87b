"""Count the listed videos of each artist and label; triggers keep the counts, whoever writes.

A version before that serves beside this one changes links and videos, too: the database itself
notes what that does to the counts.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"

KINDS = ("artist", "label")
# `core.catalogue.queries.listing.LISTED`, of a row that has this name.
LISTED = "({0}.is_listed AND NOT {0}.is_hidden AND {0}.title NOT LIKE '★%')"
ADD = "INSERT INTO name_count_change (kind, name_id, videos)"
# One count of a link, more or less, if its video is listed.
OF_LINK = (
    ADD + " SELECT '{kind}', {row}.{kind}_id, {step} FROM video"  # noqa: S608  # constants
    " WHERE video.id = {row}.video_id AND " + LISTED.format("video")
)
# One count of each link of a video.
OF_VIDEO = (
    ADD + " SELECT '{kind}', {kind}_id, {step} FROM video_{kind}"  # noqa: S608  # constants
    " WHERE video_id = {row}.id"
)


def upgrade() -> None:
    op.create_table(
        "name_count",
        sa.Column("name_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(6), nullable=False, comment="artist or label"),
        sa.Column("videos", sa.Integer(), nullable=False, comment="listed ones"),
        sa.Column("folded", sa.Integer(), nullable=False, comment="number of the last folding"),
        sa.PrimaryKeyConstraint("name_id", "kind", name=op.f("pk_name_count")),
    )
    op.create_index(op.f("ix_name_count_folded"), "name_count", ["folded"])
    op.create_table(
        "name_count_change",
        sa.Column("seq", sa.Integer(), nullable=False, autoincrement=True),
        sa.Column("kind", sa.String(6), nullable=False, comment="artist or label"),
        sa.Column("name_id", sa.Integer(), nullable=False),
        sa.Column("videos", sa.Integer(), nullable=False, comment="more, or less"),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_name_count_change")),
    )
    # First the triggers: their locks keep writers out until what was there before is counted.
    if op.get_bind().dialect.name == "postgresql":
        _watch_postgresql()
    else:
        _watch_sqlite()
    for kind in KINDS:
        # All that are linked, which an index alone tells, less the few that are not listed.
        op.execute(
            "INSERT INTO name_count (name_id, kind, videos, folded)"  # noqa: S608  # constants
            f" SELECT linked.{kind}_id, '{kind}', linked.videos - coalesce(less.videos, 0), 1"
            f" FROM (SELECT {kind}_id, count(*) AS videos FROM video_{kind}"
            f" GROUP BY {kind}_id) linked LEFT JOIN (SELECT {kind}_id, count(*) AS videos"
            f" FROM video_{kind} WHERE video_id IN"
            f" (SELECT id FROM video WHERE NOT {LISTED.format('video')})"
            f" GROUP BY {kind}_id) less ON less.{kind}_id = linked.{kind}_id"
        )


def _watch_sqlite() -> None:
    for kind in KINDS:
        less = OF_LINK.format(kind=kind, row="OLD", step=-1)
        more = OF_LINK.format(kind=kind, row="NEW", step=1)
        name, table = f"CREATE TRIGGER video_{kind}_counted", f"ON video_{kind}"
        op.execute(f"{name}_insert AFTER INSERT {table} BEGIN {more}; END")
        op.execute(f"{name}_delete AFTER DELETE {table} BEGIN {less}; END")
        moved = f"UPDATE OF video_id, {kind}_id"
        op.execute(f"{name}_update AFTER {moved} {table} BEGIN {less}; {more}; END")
    new, old = LISTED.format("NEW"), LISTED.format("OLD")
    step = f"CASE WHEN {new} THEN 1 ELSE -1 END"
    more = "; ".join(OF_VIDEO.format(kind=kind, row="NEW", step=step) for kind in KINDS)
    less = "; ".join(OF_VIDEO.format(kind=kind, row="OLD", step=-1) for kind in KINDS)
    op.execute(
        "CREATE TRIGGER video_counted_update AFTER UPDATE OF is_listed, is_hidden, title ON video"
        f" WHEN {new} <> {old} BEGIN {more}; END"
    )
    # Before: its links go with it, and find no video then.
    op.execute(
        f"CREATE TRIGGER video_counted_delete BEFORE DELETE ON video WHEN {old} BEGIN {less}; END"
    )


def _watch_postgresql() -> None:
    for kind in KINDS:
        # Whoever lists or hides the video meanwhile has seen this link, or is waited for here.
        less, more = (
            f"PERFORM 1 FROM video WHERE id = {row}.video_id FOR NO KEY UPDATE;"  # constants
            f" {OF_LINK.format(kind=kind, row=row, step=step)};"
            for row, step in (("OLD", -1), ("NEW", 1))
        )
        _define(
            f"count_video_{kind}",
            f"IF TG_OP <> 'INSERT' THEN {less} END IF;"
            f" IF TG_OP <> 'DELETE' THEN {more} END IF; RETURN NULL;",
        )
        op.execute(
            f"CREATE TRIGGER video_{kind}_counted"
            f" AFTER INSERT OR DELETE OR UPDATE OF video_id, {kind}_id ON video_{kind}"
            f" FOR EACH ROW EXECUTE FUNCTION count_video_{kind}()"
        )
    new, old = LISTED.format("NEW"), LISTED.format("OLD")
    more = " ".join(OF_VIDEO.format(kind=kind, row="NEW", step="step") + ";" for kind in KINDS)
    less = " ".join(OF_VIDEO.format(kind=kind, row="OLD", step=-1) + ";" for kind in KINDS)
    _define(
        "count_video",
        f"{more} RETURN NULL;",
        f"DECLARE step integer := CASE WHEN {new} THEN 1 ELSE -1 END;",
    )
    _define("count_video_out", f"{less} RETURN OLD;")
    op.execute(
        "CREATE TRIGGER video_counted_update AFTER UPDATE OF is_listed, is_hidden, title ON video"
        f" FOR EACH ROW WHEN ({new} <> {old}) EXECUTE FUNCTION count_video()"
    )
    # Before: its links go with it, and find no video then.
    op.execute(
        "CREATE TRIGGER video_counted_delete BEFORE DELETE ON video"
        f" FOR EACH ROW WHEN ({old}) EXECUTE FUNCTION count_video_out()"
    )


def _define(name: str, body: str, declared: str = "") -> None:
    op.execute(
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ {declared} BEGIN {body} END $$"
    )
