"""What operators and visitors change in the filled catalogue, in an order that a seed gives."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import sqlalchemy as sa

from liuying.installation.services import Services
from liuying.pages.ranks import aggregate_views
from liuying.workflows.editing import edit_video, set_hidden
from liuying.workflows.purging import purge_video
from liuying.workflows.video_meta import GivenMeta
from tests.catalogue_factory import NOW, add_video


def view(services: Services, views_of: dict[int, int]) -> None:
    """Add views to videos and settle them."""
    with services.database.write() as connection:
        for video_id, views in views_of.items():
            row = {"video_id": video_id, "views": views}
            connection.execute(
                sa.text("INSERT INTO view_pending(video_id, views) VALUES (:video_id, :views)"), row
            )
    aggregate_views(services.database, NOW)


class CatalogueChurn:
    """Changes the catalogue of `fill_catalogue`.

    Args:
        services: The installation.
        seed: Gives what is changed, and how.
        titles: What new and renamed videos are called.
        categories: What new videos lie in.
    """

    def __init__(
        self, services: Services, seed: int, titles: Sequence[str], categories: Sequence[int]
    ) -> None:
        self.dice = random.Random(seed)  # noqa: S311  # no secret
        self._services = services
        self._titles, self._categories = titles, categories
        self._there, self._hidden = list(range(100, 130)), set[int]()

    def some(self, count: int) -> list[int]:
        """Some of the videos."""
        return self.dice.sample(self._there, count)

    def steps(self) -> list[Callable[[], None]]:
        """The changes that can be made."""
        return [self.add, self.hide, self.remove, self.rename, self.date]

    def add(self) -> None:
        """One more video; the same moments and views come again and again: ties."""
        self._there.append(1000 + len(self._there) + self.dice.randrange(10**6))
        with self._services.database.write() as connection:
            add_video(
                connection,
                self._there[-1],
                self.dice.choice(self._categories),
                title=self.dice.choice(self._titles),
                created_at=NOW - self.dice.randrange(4) * 1000,
                pageviews=self.dice.randrange(5),
                artists=["作者1"],
            )

    def hide(self) -> None:
        """Hide three, or show them again."""
        chosen = set(self.some(3))
        set_hidden(self._services, chosen - self._hidden, is_hidden=True)
        set_hidden(self._services, chosen & self._hidden, is_hidden=False)
        self._hidden.symmetric_difference_update(chosen)

    def remove(self) -> None:
        """Remove one for good."""
        chosen = self.some(1)[0]
        purge_video(self._services, chosen)
        self._there.remove(chosen)
        self._hidden.discard(chosen)

    def rename(self) -> None:
        """Another title."""
        edit_video(self._services, self.some(1)[0], GivenMeta(title=self.dice.choice(self._titles)))

    def date(self) -> None:
        """Another moment and artist."""
        given = GivenMeta(created_at=NOW - self.dice.randrange(3), artists=("作者2",))
        edit_video(self._services, self.some(1)[0], given)
