"""How much of a source's pictures is damaged, and how much is too much."""

from __future__ import annotations

from liuying.media.errors import DamagedError
from liuying.media.plan import Plan

# More of the pictures than this may not be damaged, unless the operator accepts it.
MAX_DAMAGED_SHARE = 0.05


class Damage:
    """How many pictures of the source are damaged, by the decoding that saw most of them."""

    def __init__(self) -> None:
        self.pictures = 0

    def note(self, pictures: int) -> None:
        self.pictures = max(self.pictures, pictures)

    def refuse_much(self, plan: Plan) -> None:
        """Raises `DamagedError` where more is damaged than a visitor would put up with."""
        pictures = plan.probe.timing.pictures
        if self.pictures > MAX_DAMAGED_SHARE * pictures and not plan.accepts_damage:
            raise DamagedError(self.pictures, pictures)
