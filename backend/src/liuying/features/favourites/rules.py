"""Pure rules of favourites (docs/product.md#identity)."""

from __future__ import annotations

from liuying.kit.limits import HOUR, MINUTE, Limit, Rule

# Listing or counting a visitor's favourites reads them all. The web exports and imports as many.
MAX_FAVOURITES = 10_000
FULL_MESSAGE = f"收藏最多 {MAX_FAVOURITES} 个，请先移除一些"
LOCKED_MESSAGE = "解锁后才能收藏"
# Adding and removing. A minute admits a file of 1,000 that the web imports, and the neighbours
# beside it; with a larger one the web waits for the next minutes. The hour keeps one network from
# filling the disk: the largest file (`MAX_FAVOURITES`) is imported in three of them.
CHANGES = Limit("favourite", (Rule(1200, MINUTE), Rule(4000, HOUR)))
