"""All scenes by name."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from liuying.demo.scenes.city import City, city
from liuying.demo.scenes.craft import ink_wash, loom, pottery
from liuying.demo.scenes.film import Scene
from liuying.demo.scenes.floor import way
from liuying.demo.scenes.food import citrus, coffee, dumplings, ramen, tea
from liuying.demo.scenes.lands import (
    BLUE_PEAK,
    CANYON,
    DAWN_RIDGE,
    DUNE,
    GRASS,
    GREEN_PEAK,
    ISLAND,
    LAKE,
    PEAK,
    RED_PLANET,
    SUNSET_RIDGE,
    TEA_HILLS,
    TERRACE,
    WINTER,
    balloons,
    glider,
    land,
    mirrored_land,
    petals,
    snowing,
)
from liuying.demo.scenes.music import equaliser, piano, record
from liuying.demo.scenes.ocean import jellyfish, shoal
from liuying.demo.scenes.plants import bamboo, blossom, forest
from liuying.demo.scenes.room import cat_window, train_window
from liuying.demo.scenes.sea import Sea, sea
from liuying.demo.scenes.sky import Aurora, Night, aurora, night, planet
from liuying.demo.scenes.tech import chip, data_centre, globe
from liuying.demo.scenes.ways import AUTUMN_ROAD, COUNTRY_ROAD, LIGHT_GRID, NIGHT_STREET, RAILS, RAILS_DAY, TRACK
from liuying.demo.scenes.weather import Bokeh, bokeh, fireworks, lanterns

_SUNSET = ((0, "#243a72"), (0.25, "#7a5a92"), (0.45, "#ff9a6b"), (0.53, "#ffd28a"), (1, "#ffd28a"))
_BLUE = ((0, "#1d5fae"), (0.3, "#6fb2e4"), (0.52, "#e6f4f8"), (1, "#ffffff"))
_MOON = ((0, "#0a1230"), (0.5, "#2a3a6a"), (1, "#2a3a6a"))
_PINK_NIGHT = ((0, "#0b1030"), (0.35, "#2b2660"), (0.6, "#c05a7a"), (1, "#0b1030"))
_BLUE_HOUR = ((0, "#0a1c3a"), (0.4, "#1f4f7c"), (0.66, "#8fb6c8"), (1, "#0a1c3a"))
_DUSK = ((0, "#5a6fb8"), (0.5, "#f2a78c"), (1, "#ffdca0"))
_RAINY = ((0, "#1c2440"), (0.6, "#3c4a70"), (1, "#6a7090"))
_STREET = ("#ff7a4a", "#ffc46b", "#4ac8ff", "#ff4f7a", "#8fe0c0")

_LANDS: dict[str, Scene] = {
    "peak": land(PEAK),
    "peak-dawn": land(DAWN_RIDGE),
    "peak-sunset": land(SUNSET_RIDGE),
    "peak-blue": land(BLUE_PEAK),
    "peak-glider": land(GREEN_PEAK, glider("#ff7a3a")),
    "peak-snow": land(WINTER, snowing(1.3)),
    "dune": land(DUNE),
    "dune-red": land(RED_PLANET),
    "canyon": land(CANYON),
    "canyon-balloons": land(CANYON, balloons((("#e0503a", "#ffd27a"), ("#2f7fb0", "#f4f0e4"), ("#7a4fa0", "#ffb4a0")))),
    "grass": land(GRASS, None, 44),
    "grass-petals": land(GRASS, petals(("#ffffff", "#ffe0ea")), 40),
    "terrace": land(TERRACE),
    "tea-hills": land(TEA_HILLS, balloons((("#ffffff", "#ff9a6a"), ("#ffd24a", "#e8583a")))),
    "lake": mirrored_land(LAKE, "#1d4a62", boat=True),
    "lake-island": mirrored_land(ISLAND, "#1493b0", 0.5),
    "lake-night": mirrored_land(replace(BLUE_PEAK, eye=30, nearest=320, cuts=(600, 950), horizon=0.56), "#0a1a3a", 0.4),
}

_SEAS: dict[str, Scene] = {
    "sea-sunset": sea(Sea(sky=_SUNSET, birds=5)),
    "sea-sail": sea(Sea(sky=_SUNSET, boat=0.22, birds=4, light=(0.62, 0.44))),
    "sea-blue": sea(
        Sea(
            sky=_BLUE,
            horizon=0.42,
            light=(0.72, 0.12),
            light_colour="#fff2cc",
            deep="#0d5f86",
            clouds=("#ffffff", "#c4d8ea"),
            boat=0.3,
            roughness=0.8,
            disc=0.02,
            cloud_density=0.46,
        )
    ),
    "sea-moon": sea(
        Sea(
            sky=_MOON,
            light=(0.3, 0.2),
            light_colour="#aebcff",
            disc_colour="#f4f2ff",
            deep="#0a1630",
            starry=True,
            clouds=("#8fa0d8", "#2a3560"),
            boat=0.5,
        )
    ),
    "sea-lighthouse": sea(
        Sea(
            sky=((0, "#14214a"), (0.4, "#5a5f9a"), (0.52, "#f2b59a"), (1, "#f2b59a")),
            light=(0.2, 0.5),
            disc=0.0,
            light_colour="#ffb89a",
            deep="#241f44",
            starry=True,
            clouds=("#f2b0a0", "#4a4478"),
            lighthouse=True,
            cloud_density=0.52,
        )
    ),
    "sea-grey": sea(
        Sea(
            sky=((0, "#4a5a6a"), (0.4, "#9aa8b0"), (0.52, "#dfe4e2"), (1, "#dfe4e2")),
            light=(0.4, 0.4),
            disc=0.0,
            light_colour="#ffffff",
            deep="#22343e",
            clouds=("#e8ecee", "#5a6670"),
            cloud_density=0.36,
            birds=9,
            roughness=1.5,
        )
    ),
    "sea-pink": sea(
        Sea(
            sky=((0, "#3a5aa8"), (0.3, "#b48ac8"), (0.5, "#ffb8c0"), (0.56, "#ffe0c8"), (1, "#ffe0c8")),
            horizon=0.55,
            light=(0.36, 0.5),
            light_colour="#ffc0b0",
            deep="#3a4a80",
            clouds=("#ffc8d0", "#8a70a8"),
            birds=3,
        )
    ),
}

_CITIES: dict[str, Scene] = {
    "city-night": city(City(sky=_PINK_NIGHT)),
    "city-blue": city(
        City(
            sky=_BLUE_HOUR,
            haze="#4c7a98",
            dark="#081424",
            glow="#ffc27a",
            tower=False,
            windows=("#ffe0a6", "#cfe8ff", "#fff4d8"),
            lit=0.4,
        )
    ),
    "city-gold": city(
        City(
            sky=((0, "#4a6aa8"), (0.35, "#e8b48a"), (0.62, "#ffe0a8"), (1, "#ffe0a8")),
            haze="#d8a888",
            dark="#3a2a38",
            glow="#ffd08a",
            lit=0.25,
            clouds=("#fff0dc", "#c89a9a"),
            deep="#3a2c3c",
        )
    ),
    "city-green": city(
        City(
            sky=((0, "#041420"), (0.4, "#0c3a4a"), (0.66, "#3fa89a"), (1, "#041420")),
            haze="#1f5a64",
            dark="#04121a",
            glow="#4ae0c0",
            windows=("#9fffe0", "#ffe9c2", "#6ad0ff"),
            lit=0.6,
            starry=True,
        )
    ),
    "city-fireworks": fireworks(
        ((0, "#050818"), (0.7, "#101a3c"), (1, "#2a2a50")), ("#ff6a5a", "#ffd27a", "#6ad0ff", "#b08aff", "#8ae8a0")
    ),
    "rain-street": bokeh(Bokeh(base=((0, "#0a1024"), (0.5, "#1a2444"), (1, "#070b18")), colours=_STREET)),
    "rain-warm": bokeh(
        Bokeh(
            base=((0, "#1a0e14"), (0.5, "#3a2028"), (1, "#12080c")),
            colours=("#ffb46a", "#ff8a4a", "#ffe0a0", "#ff6a5a"),
            rain=0.7,
        )
    ),
    "rain-green": bokeh(
        Bokeh(
            base=((0, "#04141a"), (0.5, "#0c2e34"), (1, "#03090c")),
            colours=("#5fe0b0", "#9fffd8", "#ffd27a", "#4aa8ff"),
            rain=1.2,
        )
    ),
    "bokeh-dry": bokeh(
        Bokeh(
            base=((0, "#140a2a"), (0.6, "#3a1a4a"), (1, "#0a0614")),
            colours=("#ff7ac0", "#b08aff", "#6ad0ff", "#ffd0a0"),
            wet=False,
            rain=0.0,
            count=60,
        )
    ),
    "lantern-rise": lanterns(((0, "#0a0c24"), (0.6, "#3a1a3c"), (1, "#6a2a2c")), ("#ff7a2a", "#ffd88a")),
    "lantern-hang": lanterns(
        ((0, "#1a0a14"), (0.6, "#4a1a1c"), (1, "#12070c")), ("#e02a20", "#ff9a5a"), 16, floating=False
    ),
}

_TABLES: dict[str, Scene] = {
    "ramen": ramen(("#20130c", "#7a5236"), ("#f0b060", "#d07a2c", "#7c3d14")),
    "ramen-miso": ramen(("#2c2a28", "#8a8078"), ("#f6dca0", "#e0a860", "#9a6024"), "#7a2a22", -0.06),
    "dumplings": dumplings(("#14181a", "#4a5658")),
    "dumplings-light": dumplings(("#a87a4a", "#e8c898"), 8),
    "coffee": coffee(("#8a5f3a", "#dcb084")),
    "coffee-heart": coffee(("#2a2426", "#6a5a54"), "#3f6a78", "heart"),
    "citrus": citrus(("#bfe6df", "#7cc4bd")),
    "citrus-rose": citrus(("#ffe0d8", "#f2a8a8"), 0.3),
    "tea": tea(("#2a1a10", "#7a5a3c"), ("#e8c860", "#a87a24")),
    "tea-red": tea(("#3a3a3c", "#8a8a86"), ("#e08a4a", "#8a3418"), "#f4f0ea"),
}

_WINDOWS: dict[str, Scene] = {
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
        ((0, "#7aa8dc"), (0.5, "#fbe3c0"), (1, "#fbe3c0")), ("#9db4cf", "#7d9a9a"), ("#4f7a4c", "#7f9a3c")
    ),
    "train-dusk": train_window(
        ((0, "#3a3a7a"), (0.45, "#e88a7a"), (0.6, "#ffd0a0"), (1, "#ffd0a0")),
        ("#8a6a94", "#5f4a74"),
        ("#3a3454", "#4a4450"),
        "#241c28",
    ),
    "train-desert": train_window(
        ((0, "#4a90d0"), (0.5, "#f4e4c8"), (1, "#f4e4c8")), ("#c8a890", "#b8885f"), ("#a8743f", "#c8984f"), "#30343c"
    ),
    "rails": way(RAILS),
    "rails-day": way(RAILS_DAY),
    "track": way(TRACK),
    "road": way(COUNTRY_ROAD),
    "road-autumn": way(AUTUMN_ROAD),
    "road-night": way(NIGHT_STREET),
    "synth-grid": way(LIGHT_GRID),
}

_THINGS: dict[str, Scene] = {
    "vinyl": record(("#b8432f", "#3a1230"), ("#f4b13e", "#b8432f"), "#d98a1f"),
    "vinyl-blue": record(("#2f6a8a", "#101c38"), ("#e8e0cc", "#2f6a8a"), "#c8503a"),
    "piano": piano("#ffb25a"),
    "piano-blue": piano("#a8c8ff", "#2a4a9a"),
    "equaliser": equaliser(("#0c0a24", "#2a1048"), ("#39e0ff", "#b04aff")),
    "equaliser-warm": equaliser(("#1c0a10", "#4a1420"), ("#ffd24a", "#ff3f6a")),
    "chip": chip(("#06222e", "#07121f"), ("#1f7f86", "#49d8c4", "#f0a850"), "#ff7a4e"),
    "chip-violet": chip(("#140c2c", "#0a0a1c"), ("#4a3f9a", "#b08aff", "#5fe0ff"), "#5fa8ff"),
    "globe": globe(("#050a1e", "#123a6e"), "#6ad0ff", "#ffb060"),
    "globe-green": globe(("#04120e", "#0e4a3a"), "#6affb8", "#fff08a"),
    "data-centre": data_centre("#0a1420", ("#3fd0ff", "#57e08a", "#ffb04a"), "#0d2a4a"),
    "pottery": pottery(("#8a6a4a", "#20140e"), "#b8795a", ("#2f5f7a", "#e8dcc0", "#2f5f7a")),
    "pottery-celadon": pottery(("#4a6a6a", "#101c20"), "#8fb8a4", ("#e8f0e0", "#4a7a6c", "#e8f0e0"), "jar"),
    "pottery-bowl": pottery(("#6a4a5a", "#180e18"), "#d8c0a0", ("#b8432f", "#2a2430", "#b8432f"), "bowl"),
    "ink": ink_wash("#efe8d8", "#1c2226"),
    "ink-blue": ink_wash("#e8ecec", "#1c3a52", sun=None),
    "loom": loom(("#b8432f", "#e8c87a", "#1f4a5a", "#f0e4cc")),
    "loom-green": loom(("#2f5a4a", "#d8b86a", "#8a3a4a", "#f4ecdc"), "#4a3020"),
}

_WILDS: dict[str, Scene] = {
    "bamboo": bamboo(((0, "#e9f5c0"), (0.45, "#a9cf7c"), (1, "#2f5a34")), ("#b8d68c", "#1e4a2b")),
    "forest-moss": forest(("#e6f2c0", "#9cc08a", "#3c5a34", "#14241a"), ("#5c9a44", "#8abf58", "#3f7a3c"), "#fff6c8"),
    "forest-maple": forest(
        ("#ffdf9a", "#f2a552", "#8a4a24", "#3a1c16"), ("#e8682c", "#f6a83a", "#c8402a"), "#ffe2a0", "maple"
    ),
    "forest-ginkgo": forest(("#fff4b8", "#f0d060", "#8a7a2c", "#3a2c18"), ("#f6cf3a", "#ffe27a", "#d8a828"), "#fff8c8"),
    "blossom": blossom(((0, "#8fc4ee"), (0.7, "#e4f0f8"), (1, "#f8e4ec")), ("#ffd0e0", "#ffb4cc", "#fff0f4")),
    "blossom-white": blossom(
        ((0, "#7f9ac8"), (0.6, "#c8d8ea"), (1, "#eef2f6")), ("#ffffff", "#f4f0ff", "#ffe8ee"), "#2c2426"
    ),
    "ocean-shoal": shoal(
        ((0, "#8fe6ea"), (0.25, "#2fa6c9"), (0.7, "#0c4a7d"), (1, "#062746")),
        ("#e8f4ff", "#6fb0d8"),
        ("#0a3a5f", "#05203a"),
    ),
    "ocean-gold": shoal(
        ((0, "#c8f0d8"), (0.25, "#4fb8a8"), (0.7, "#14606a"), (1, "#082c38")),
        ("#ffd27a", "#ff9a4a"),
        ("#1a4a4a", "#0a2a30"),
        130,
    ),
    "ocean-jelly": jellyfish(((0, "#0a1a4a"), (0.6, "#060c2a"), (1, "#020412")), ("#ff8ad0", "#8ab4ff", "#c08aff"), 11),
    "aurora": aurora(Aurora()),
    "aurora-lake": aurora(Aurora(lake=True, colours=("#ff5fa0", "#b06bff", "#5fd3ff"))),
    "aurora-teal": aurora(Aurora(lake=True, colours=("#5fffd0", "#38c0f0", "#7a8bff"))),
    "night-tent": night(Night()),
    "night-meteors": night(
        Night(
            tent=False,
            meteors=16,
            sky=((0, "#04101e"), (0.55, "#0c3048"), (0.82, "#1f5f6a"), (1, "#6aa88a")),
            band=("#8fe0ff", "#fff0c0"),
            turn=1.5,
        )
    ),
    "planet-ringed": planet(("#d9905a", "#f6dcae"), "#e9cfa6", ("#6a3fb0", "#1f7ab8")),
    "planet-blue": planet(("#2f6ac8", "#d8ecff"), None, ("#b03f7a", "#3f4ab8"), 0.15),
    "planet-red": planet(("#8a2f1c", "#e8905a"), None, ("#1f6a8a", "#7a3f1f"), 0.5),
    "planet-ice": planet(("#7ac8d0", "#e8fbf4"), "#c0d8e8", ("#1f8a6a", "#4a3fb0"), 0.6),
}

SCENES: MappingProxyType[str, Scene] = MappingProxyType(
    {**_LANDS, **_SEAS, **_CITIES, **_TABLES, **_WINDOWS, **_THINGS, **_WILDS}
)
