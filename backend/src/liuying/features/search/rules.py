"""Pure rules of search: rate limits per network (docs/security.md#t14)."""

from __future__ import annotations

from liuying.kit.limits import DAY, MINUTE, Limit, Rule

# For searches that count for the hot words; more are answered but not counted.
SEARCHES = Limit("search event", (Rule(10, MINUTE), Rule(200, DAY)))
# For suggestions that are not ready in memory: about ten people behind one address typing without a
# break.
SUGGESTIONS = Limit("suggestion", (Rule(300, MINUTE),))
