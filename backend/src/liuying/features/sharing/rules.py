"""Pure rules of share-to-unlock: the sharer in a link, and how long a network is remembered
(docs/product.md#sharing).
"""

from __future__ import annotations

from liuying.core.catalogue.share_ids import SHARER_BYTES
from liuying.kit.clock import DAY_MS, Milliseconds
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import HOUR, MINUTE, Limit, Rule

# Number of visiting networks that unlocks a video (specification §5).
UNLOCK_COUNT = 2
# No hash of a network is stored longer than this (docs/security.md#t25), and its key changes as
# often.
PERIOD: Milliseconds = 30 * DAY_MS
# Opening a locked video's page makes a link: many visitors of one carrier may do so at once.
LINKS = Limit("share link", (Rule(600, MINUTE), Rule(4000, HOUR)))
VISITS = Limit("share visit", (Rule(60, MINUTE),))


def sharer_of(hashes: KeyedHashes, visitor_id: int, video_id: int) -> str:
    """The one-way id of a visitor as sharer of one video: two links of a visitor cannot be
    related.
    """
    return hashes.digest("sharer", visitor_id, video_id)[:SHARER_BYTES].hex()


def period_of(now: Milliseconds) -> int:
    """The period whose key hashes networks at a given time."""
    return now // PERIOD
