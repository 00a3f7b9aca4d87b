"""Tables of the site's identity: what the operator has set; everything else has its default."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

site_setting = sa.Table(
    "site_setting",
    metadata,
    sa.Column("name", sa.String(24), primary_key=True, comment="a field of SiteIdentity"),
    sa.Column("value", sa.String(500), nullable=False),
)

site_picture = sa.Table(
    "site_picture",
    metadata,
    sa.Column("name", sa.String(24), primary_key=True, comment="the last part of its address"),
    sa.Column("digest", sa.String(16), nullable=False, comment="of the content, hexadecimal"),
    sa.Column("content", sa.LargeBinary, nullable=False, comment="PNG"),
)
