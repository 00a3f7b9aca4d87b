"""What visitors ask for: every call of a visit in its share, videos, words and pages by
Zipf's law.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from urllib.parse import quote

import msgspec

from liuying_seeding.videos import ARTISTS, CATEGORIES
from liuying_seeding.words import load_words

PAGE = 24
# Local addresses that visitors come from: limits count by network.
NETWORKS = 200


class Asked(msgspec.Struct, frozen=True):
    """A request.

    Attributes:
        kind: The call.
        target: Path and query.
        body: JSON of a POST; empty for a GET.
        code: The visitor's data code, where the call wants one.
    """

    kind: str
    target: str
    body: bytes = b""
    code: str = ""


class Visitors:
    """Draws requests.

    Args:
        videos: How many there are, numbered from 1.
        seed: Gives what is drawn.
    """

    def __init__(self, videos: int, seed: int = 1) -> None:
        self._dice = random.Random(seed)
        self._videos = videos
        self._words = load_words(1).words
        self.kinds: dict[str, tuple[float, Callable[[], Asked]]] = {
            "list": (18, self._list),
            "player": (
                16,
                lambda: Asked("player", f"/api/videoplay/{self._video()}?uuid=1"),
            ),
            "similar": (
                10,
                lambda: Asked("similar", f"/api/videomaylike?id={self._video()}"),
            ),
            "home": (10, lambda: Asked("home", "/api/videoindex")),
            "recommended": (
                8,
                lambda: Asked("recommended", f"/api/videorecommand?seed={self._zipf(1000) - 1}"),
            ),
            "search": (12, self._search),
            "hot words": (3, lambda: Asked("hot words", "/api/videoSearchHot")),
            "suggestions": (
                5,
                lambda: Asked("suggestions", f"/api/videosuggest?q={quote(self._word()[:2])}"),
            ),
            "rank": (4, self._rank),
            "artists": (1, lambda: Asked("artists", "/api/artist")),
            "artist": (3, self._artist),
            "tags": (1, lambda: Asked("tags", "/api/tags")),
            "view": (
                5,
                lambda: self._post("view", "/api/play/event", id=self._video(), event="view"),
            ),
            "favourite": (
                2,
                lambda: self._post("favourite", "/api/favorites", id=self._video()),
            ),
            "favourites": (
                2,
                lambda: Asked("favourites", "/api/favorites", code=self._code()),
            ),
        }

    def draw(self) -> Asked:
        """The next request."""
        kinds = list(self.kinds.values())
        (_share, make), *_ = self._dice.choices(kinds, [share for share, _make in kinds])
        return make()

    def _zipf(self, most: int) -> int:
        """A number from 1, each as often as its inverse says."""
        return int(most ** self._dice.random())

    def _video(self) -> int:
        # As the seeding spreads ranks by views over numbers, any numbers will do.
        return self._zipf(self._videos) * 7919 % self._videos + 1

    def _word(self) -> str:
        return self._words[self._zipf(len(self._words)) - 1]

    def _code(self) -> str:
        return f"visitor{self._zipf(20_000):05}"

    def _list(self) -> Asked:
        category = self._zipf(CATEGORIES + 1) - 1
        held = self._videos if category == 0 else self._videos // (5 * category)
        page = self._zipf(max(1, held // PAGE))
        return Asked(
            "list",
            f"/api/videosort/{category}?orderby={self._dice.choice(('new', 'hot'))}&page={page}",
        )

    def _search(self) -> Asked:
        word = self._word()[: self._dice.choice((1, 2, 3, 4))]
        return Asked("search", f"/api/videoSearch?serach={quote(word)}&page={self._zipf(5)}")

    def _rank(self) -> Asked:
        kind = self._dice.choice(("pageviews", "favorites", "new"))
        period = self._dice.choice(("day", "week", "month", "all"))
        return Asked("rank", f"/api/rank?type={kind}&period={period}&page={self._zipf(4)}")

    def _artist(self) -> Asked:
        return Asked(
            "artist",
            f"/api/artist/{self._zipf(ARTISTS)}?orderby={self._dice.choice(('new', 'hot'))}",
        )

    def _post(self, kind: str, target: str, **values: object) -> Asked:
        return Asked(kind, target, msgspec.json.encode(values), self._code())
