"""Named scenes of tables, windows, ways and things."""

from __future__ import annotations

from liuying_demo.scenes.cafe import citrus, coffee, tea
from liuying_demo.scenes.cat import cat_window
from liuying_demo.scenes.chip import chip
from liuying_demo.scenes.data_centre import data_centre
from liuying_demo.scenes.equaliser import equaliser
from liuying_demo.scenes.film import Scene
from liuying_demo.scenes.floor import way
from liuying_demo.scenes.food import dumplings, ramen
from liuying_demo.scenes.globe import globe
from liuying_demo.scenes.ink import ink_wash
from liuying_demo.scenes.loom import loom
from liuying_demo.scenes.piano import piano
from liuying_demo.scenes.pottery import pottery
from liuying_demo.scenes.record import record
from liuying_demo.scenes.train import train_window
from liuying_demo.scenes.ways import (
    AUTUMN_ROAD,
    COUNTRY_ROAD,
    LIGHT_GRID,
    NIGHT_STREET,
    RAILS,
    RAILS_DAY,
    TRACK,
)

_DUSK = ((0, "#5a6fb8"), (0.5, "#f2a78c"), (1, "#ffdca0"))
_RAINY = ((0, "#1c2440"), (0.6, "#3c4a70"), (1, "#6a7090"))

TABLES: dict[str, Scene] = {
    "ramen": ramen(("#20130c", "#7a5236"), ("#f0b060", "#d07a2c", "#7c3d14")),
    "ramen-miso": ramen(
        ("#2c2a28", "#8a8078"), ("#f6dca0", "#e0a860", "#9a6024"), "#7a2a22", -0.06
    ),
    "dumplings": dumplings(("#14181a", "#4a5658")),
    "dumplings-light": dumplings(("#a87a4a", "#e8c898"), 8),
    "coffee": coffee(("#8a5f3a", "#dcb084")),
    "coffee-heart": coffee(("#2a2426", "#6a5a54"), "#3f6a78", "heart"),
    "citrus": citrus(("#bfe6df", "#7cc4bd")),
    "citrus-rose": citrus(("#ffe0d8", "#f2a8a8"), 0.3),
    "tea": tea(("#2a1a10", "#7a5a3c"), ("#e8c860", "#a87a24")),
    "tea-red": tea(("#3a3a3c", "#8a8a86"), ("#e08a4a", "#8a3418"), "#f4f0ea"),
}

WINDOWS: dict[str, Scene] = {
    "cat-dusk": cat_window(_DUSK, ("#c98aa0", "#8a5f8a", "#4f3d68")),
    "cat-rain": cat_window(_RAINY, ("#4a587c", "#33406a", "#222c4c"), "#15131e", "#9fc0ff", "rain"),
    "cat-snow": cat_window(
        ((0, "#8aa0c0"), (0.6, "#c8d4e4"), (1, "#f0f2f6")),
        ("#a4b4cc", "#7f90b0", "#5a6a8c"),
        "#2c2a34",
        "#fff0d8",
        "snow",
    ),
    "train-day": train_window(
        ((0, "#7aa8dc"), (0.5, "#fbe3c0"), (1, "#fbe3c0")),
        ("#9db4cf", "#7d9a9a"),
        ("#4f7a4c", "#7f9a3c"),
    ),
    "train-dusk": train_window(
        ((0, "#3a3a7a"), (0.45, "#e88a7a"), (0.6, "#ffd0a0"), (1, "#ffd0a0")),
        ("#8a6a94", "#5f4a74"),
        ("#3a3454", "#4a4450"),
        "#241c28",
    ),
    "train-desert": train_window(
        ((0, "#4a90d0"), (0.5, "#f4e4c8"), (1, "#f4e4c8")),
        ("#c8a890", "#b8885f"),
        ("#a8743f", "#c8984f"),
        "#30343c",
    ),
    "rails": way(RAILS),
    "rails-day": way(RAILS_DAY),
    "track": way(TRACK),
    "road": way(COUNTRY_ROAD),
    "road-autumn": way(AUTUMN_ROAD),
    "road-night": way(NIGHT_STREET),
    "synth-grid": way(LIGHT_GRID),
}

THINGS: dict[str, Scene] = {
    "vinyl": record(("#b8432f", "#3a1230"), ("#f4b13e", "#b8432f"), "#d98a1f"),
    "vinyl-blue": record(("#2f6a8a", "#101c38"), ("#e8e0cc", "#2f6a8a"), "#c8503a"),
    "piano": piano("#ffb25a"),
    "piano-blue": piano("#a8c8ff", "#2a4a9a"),
    "equaliser": equaliser(("#0c0a24", "#2a1048"), ("#39e0ff", "#b04aff")),
    "chip": chip(("#06222e", "#07121f"), ("#1f7f86", "#49d8c4", "#f0a850"), "#ff7a4e"),
    "globe": globe(("#050a1e", "#123a6e"), "#6ad0ff", "#ffb060"),
    "globe-green": globe(("#04120e", "#0e4a3a"), "#6affb8", "#fff08a"),
    "data-centre": data_centre("#0a1420", ("#3fd0ff", "#57e08a", "#ffb04a"), "#0d2a4a"),
    "pottery": pottery(("#8a6a4a", "#20140e"), "#b8795a", ("#2f5f7a", "#e8dcc0", "#2f5f7a")),
    "pottery-bowl": pottery(
        ("#6a4a5a", "#180e18"), "#d8c0a0", ("#b8432f", "#2a2430", "#b8432f"), "bowl"
    ),
    "ink": ink_wash("#efe8d8", "#1c2226"),
    "ink-blue": ink_wash("#e8ecec", "#1c3a52", sun=None),
    "loom": loom(("#b8432f", "#e8c87a", "#1f4a5a", "#f0e4cc")),
    "loom-green": loom(("#2f5a4a", "#d8b86a", "#8a3a4a", "#f4ecdc"), "#4a3020"),
}
