"""Pure rules of favourites (docs/product.md#identity)."""

from __future__ import annotations

from liuying.kit.limits import HOUR, MINUTE, Limit, Rule

# Listing or counting a visitor's favourites reads them all.
MAX_FAVOURITES = 10_000
FULL_MESSAGE = f"收藏最多 {MAX_FAVOURITES} 个，请先移除一些"
LOCKED_MESSAGE = "解锁后才能收藏"
# Adding and removing. A minute admits the largest file that the web imports (1,000) and the
# neighbours beside it; the hour keeps one network from filling the disk.
CHANGES = Limit("favourite", (Rule(1200, MINUTE), Rule(4000, HOUR)))
