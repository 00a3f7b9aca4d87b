"""Pure rules of search: how often a network may ask (docs/security.md#t14)."""

from __future__ import annotations

from liuying.kit.limits import DAY, MINUTE, Limit, Rule

# Of what counts for hot words; more is answered, but not counted.
SEARCHES = Limit("search event", (Rule(10, MINUTE), Rule(200, DAY)))
# Of those that are not ready in memory: some ten people behind one address who type without a
# break.
SUGGESTIONS = Limit("suggestion", (Rule(300, MINUTE),))
