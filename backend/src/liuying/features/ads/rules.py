"""Pure rules of advertisements and links."""

from __future__ import annotations

from typing import Literal

# The slots of specification §7, and LIST: rows between videos, on home and in the list layout.
Slot = Literal["USER", "BANNER", "PLAYINFO", "PLAYBEFORE", "SHORT_VIDEO", "EXPLODE", "LIST"]
LinkKind = Literal["checkin", "activity", "community", "exchange"]
