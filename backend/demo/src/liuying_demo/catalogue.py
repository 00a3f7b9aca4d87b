"""What the demo catalogue holds: read from `catalogue.json`, checked by its types."""

from __future__ import annotations

import math
import zlib
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

import msgspec
import numpy as np

from liuying.features.ads.rules import LinkKind, Slot
from liuying.kit.clock import Milliseconds
from liuying.workflows.video_meta import VideoMeta
from liuying_demo.render import LANDSCAPE, PORTRAIT, SHARP_LANDSCAPE, Cut, Film
from liuying_demo.scenes.repertoire import SCENES
from liuying_demo.sound import Mood, Texture, Voice

MINUTE_MS = 60_000
YOUNGEST_MINUTES, OLDEST_MINUTES = 0.6, 330 * 24 * 60
MAX_VIEWS, VIEWS_FALL = 2_683_000, 0.82
# Shots of a film that has several: long films repeat them.
SHOT_SECONDS = 5.0

Key = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,40}$")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class _Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of what the file holds: a name that is not known is an error."""


class CategoryEntry(_Entry, frozen=True, kw_only=True):
    """A category. `icon` names a file of the folder `icons`."""

    id: int
    name: Text
    icon: Text


class VideoEntry(_Entry, frozen=True, kw_only=True):
    """A video.

    Attributes:
        key: Names its source file: what is imported already is known by it.
        scenes: Names in `scenes.repertoire.SCENES`, one for each shot.
        seconds: Its length.
        portrait: Whether it stands upright.
        sharp: Whether it has a rung more, of 720 lines. Drawing one takes twice as long.
        seed: Of its pictures and its sound.
    """

    key: Key
    title: Annotated[str, msgspec.Meta(min_length=4, max_length=60)]
    category: int
    labels: tuple[Text, ...]
    artists: tuple[Text, ...]
    scenes: tuple[str, ...]
    seconds: Annotated[float, msgspec.Meta(ge=6, le=90)]
    portrait: bool = False
    sharp: bool = False
    seed: int = 1


class AdEntry(_Entry, frozen=True, kw_only=True):
    """An advertisement.

    Attributes:
        key: Its name among the advertisements.
        tag: Its banner tag where the slot is BANNER.
        scene: What its picture shows, at second `at`.
        position: Its place in its slot.
    """

    key: Key
    slot: Slot
    title: Text
    text: str
    url: str
    scene: str
    position: int
    tag: str | None = None
    at: float = 2.0
    seed: int = 11


class NoticeEntry(_Entry, frozen=True, kw_only=True):
    """A notice. `content` is HTML; `hours` its age."""

    title: Text
    content: str
    hours: float


class HotGroupEntry(_Entry, frozen=True, kw_only=True):
    """Hot words under a title."""

    title: Text
    words: tuple[Text, ...]


class LinkEntry(_Entry, frozen=True, kw_only=True):
    """An operator's link. `icon` names a file of the folder `icons`."""

    kind: LinkKind
    title: Text
    text: str
    url: str
    icon: Text


class TopicEntry(_Entry, frozen=True, kw_only=True):
    """A collection of the catalogue's videos, by their keys."""

    title: Text
    intro: str
    videos: tuple[Text, ...]


class ArtistEntry(_Entry, frozen=True, kw_only=True):
    """An artist. `scene` is what the portrait stands before; `intro` one sentence."""

    name: Text
    intro: str


class DemoCatalogue(_Entry, frozen=True, kw_only=True):
    """Everything."""

    categories: tuple[CategoryEntry, ...]
    artists: tuple[ArtistEntry, ...]
    videos: tuple[VideoEntry, ...]
    banner_tags: tuple[Text, ...]
    ads: tuple[AdEntry, ...]
    notices: tuple[NoticeEntry, ...]
    hot_groups: tuple[HotGroupEntry, ...]
    links: tuple[LinkEntry, ...]
    topics: tuple[TopicEntry, ...]


@cache
def load_catalogue() -> DemoCatalogue:
    """The catalogue of this package.

    Raises:
        msgspec.ValidationError: The file is not of the form above.
    """
    return msgspec.json.decode(
        (files(__package__) / "catalogue.json").read_bytes(), type=DemoCatalogue
    )


def film_of(entry: VideoEntry) -> Film:
    """What is drawn for an entry."""
    length = (
        entry.seconds
        if len(entry.scenes) == 1
        else min(SHOT_SECONDS, entry.seconds / len(entry.scenes))
    )
    cuts = [
        Cut(SCENES[name], length, entry.seed + index) for index, name in enumerate(entry.scenes)
    ]
    return Film(
        cuts=cuts,
        seconds=entry.seconds,
        size=_size_of(entry),
        mood=mood_of(entry),
        seed=number_of(entry.key),
    )


def _size_of(entry: VideoEntry) -> tuple[int, int]:
    if entry.portrait:
        return PORTRAIT
    return SHARP_LANDSCAPE if entry.sharp else LANDSCAPE


def source_name(entry: VideoEntry) -> str:
    """The name of an entry's source file, by which its import is known."""
    return f"{entry.key}.mp4"


def number_of(text: str) -> int:
    """A number that is always the same for the same text."""
    return zlib.crc32(text.encode())


_VOICES: dict[int, Voice] = {
    1: "flute",
    2: "pluck",
    3: "keys",
    4: "bell",
    5: "flute",
    6: "keys",
    7: "pluck",
    8: "pluck",
    10: "bell",
}
_TEXTURES: tuple[tuple[str, Texture], ...] = (
    ("rain", "rain"),
    ("sea", "waves"),
    ("lake", "waves"),
    ("ocean", "waves"),
    ("vinyl", "crackle"),
    ("chip", "beat"),
    ("equaliser", "beat"),
    ("synth", "beat"),
    ("track", "beat"),
    ("road", "beat"),
    ("peak", "wind"),
    ("dune", "wind"),
    ("snow", "wind"),
    ("aurora", "wind"),
)


def mood_of(entry: VideoEntry) -> Mood:
    """The sound that suits an entry: its voice by the category, what lies under it by the scene."""
    number = number_of(entry.key)
    texture: Texture = next((found for part, found in _TEXTURES if part in entry.scenes[0]), "none")
    return Mood(
        root=98.0 * 2 ** ((number % 11) / 12),
        beat=(0.5, 0.42, 0.36, 0.31)[number // 11 % 4]
        if texture == "beat"
        else (0.6, 0.52, 0.46, 0.4)[number // 11 % 4],
        density=0.4 + 0.06 * (number // 44 % 6),
        voice=_VOICES.get(entry.category, ("bell", "pluck", "flute", "keys")[number % 4]),
        texture=texture,
        pad=0.8 if texture == "beat" else 1.1,
    )


def meta_of(entry: VideoEntry, now: Milliseconds, cover: bytes) -> VideoMeta:
    """What the importer writes beside the pictures.

    Args:
        now: The time that ages count from.
        cover: JPEG bytes.
    """
    created = now - round(age_minutes(entry) * MINUTE_MS)
    # Every fifth was changed later, somewhere between its making and now.
    later = number_of(entry.key + "updated") % 5 == 0
    return VideoMeta(
        title=entry.title,
        category=entry.category,
        labels=entry.labels,
        artists=entry.artists,
        created_at=created,
        updated_at=created + (now - created) // 3 if later else created,
        keeps_original=False,  # drawn, and can be drawn again
        pageviews=views(entry),
        cover=cover,
    )


@cache
def _shuffled(purpose: Literal["age", "views"]) -> dict[str, int]:
    keys = sorted(
        (entry.key for entry in load_catalogue().videos), key=lambda key: number_of(purpose + key)
    )
    return {key: place for place, key in enumerate(keys)}


def age_minutes(entry: VideoEntry) -> float:
    """How long ago it was made: from seconds to months, each a fixed share older than the one
    before.
    """
    places = _shuffled("age")
    share = places[entry.key] / max(1, len(places) - 1)
    return float(YOUNGEST_MINUTES * (OLDEST_MINUTES / YOUNGEST_MINUTES) ** share)


def views(entry: VideoEntry) -> int:
    """Views as they are spread in life: a few have most (Zipf), the young have fewer."""
    place = _shuffled("views")[entry.key] + 1
    uneven = np.random.default_rng(number_of(entry.key)).random()
    youth = min(1.0, 0.12 + math.log1p(age_minutes(entry)) / 11)
    return int(MAX_VIEWS / place**VIEWS_FALL * (0.8 + 0.4 * uneven) * youth) + 37
