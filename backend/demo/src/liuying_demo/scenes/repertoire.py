"""All scenes by name."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from liuying_demo.scenes.aurora import Aurora, aurora
from liuying_demo.scenes.bamboo import bamboo
from liuying_demo.scenes.blossom import blossom
from liuying_demo.scenes.city import City, city
from liuying_demo.scenes.film import Scene
from liuying_demo.scenes.fireworks import fireworks
from liuying_demo.scenes.flying import balloons, glider, petals, snowing
from liuying_demo.scenes.forest import forest
from liuying_demo.scenes.indoors import TABLES, THINGS, WINDOWS
from liuying_demo.scenes.lands import (
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
)
from liuying_demo.scenes.landscapes import land, mirrored_land
from liuying_demo.scenes.lanterns import lanterns
from liuying_demo.scenes.night import Night, night
from liuying_demo.scenes.ocean import jellyfish, shoal
from liuying_demo.scenes.planet import planet
from liuying_demo.scenes.sea import Sea, sea
from liuying_demo.scenes.weather import Bokeh, bokeh

_SUNSET = ((0, "#243a72"), (0.25, "#7a5a92"), (0.45, "#ff9a6b"), (0.53, "#ffd28a"), (1, "#ffd28a"))
_BLUE = ((0, "#1d5fae"), (0.3, "#6fb2e4"), (0.52, "#e6f4f8"), (1, "#ffffff"))
_MOON = ((0, "#0a1230"), (0.5, "#2a3a6a"), (1, "#2a3a6a"))
_PINK_NIGHT = ((0, "#0b1030"), (0.35, "#2b2660"), (0.6, "#c05a7a"), (1, "#0b1030"))
_BLUE_HOUR = ((0, "#0a1c3a"), (0.4, "#1f4f7c"), (0.66, "#8fb6c8"), (1, "#0a1c3a"))
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
    "canyon-balloons": land(
        CANYON, balloons((("#e0503a", "#ffd27a"), ("#2f7fb0", "#f4f0e4"), ("#7a4fa0", "#ffb4a0")))
    ),
    "grass": land(GRASS, None, 44),
    "grass-petals": land(GRASS, petals(("#ffffff", "#ffe0ea")), 40),
    "terrace": land(TERRACE),
    "tea-hills": land(TEA_HILLS, balloons((("#ffffff", "#ff9a6a"), ("#ffd24a", "#e8583a")))),
    "lake": mirrored_land(LAKE, "#1d4a62", boat=True),
    "lake-island": mirrored_land(ISLAND, "#1493b0", 0.5),
    "lake-night": mirrored_land(
        replace(BLUE_PEAK, eye=30, nearest=320, cuts=(600, 950), horizon=0.56), "#0a1a3a", 0.4
    ),
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
            sky=(
                (0, "#3a5aa8"),
                (0.3, "#b48ac8"),
                (0.5, "#ffb8c0"),
                (0.56, "#ffe0c8"),
                (1, "#ffe0c8"),
            ),
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
        ((0, "#050818"), (0.7, "#101a3c"), (1, "#2a2a50")),
        ("#ff6a5a", "#ffd27a", "#6ad0ff", "#b08aff", "#8ae8a0"),
    ),
    "rain-street": bokeh(
        Bokeh(base=((0, "#0a1024"), (0.5, "#1a2444"), (1, "#070b18")), colours=_STREET)
    ),
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
    "lantern-rise": lanterns(
        ((0, "#0a0c24"), (0.6, "#3a1a3c"), (1, "#6a2a2c")), ("#ff7a2a", "#ffd88a")
    ),
    "lantern-hang": lanterns(
        ((0, "#1a0a14"), (0.6, "#4a1a1c"), (1, "#12070c")),
        ("#e02a20", "#ff9a5a"),
        16,
        floating=False,
    ),
}

_WILDS: dict[str, Scene] = {
    "bamboo": bamboo(((0, "#e9f5c0"), (0.45, "#a9cf7c"), (1, "#2f5a34")), ("#b8d68c", "#1e4a2b")),
    "forest-moss": forest(
        ("#e6f2c0", "#9cc08a", "#3c5a34", "#14241a"), ("#5c9a44", "#8abf58", "#3f7a3c"), "#fff6c8"
    ),
    "forest-maple": forest(
        ("#ffdf9a", "#f2a552", "#8a4a24", "#3a1c16"),
        ("#e8682c", "#f6a83a", "#c8402a"),
        "#ffe2a0",
        "maple",
    ),
    "forest-ginkgo": forest(
        ("#fff4b8", "#f0d060", "#8a7a2c", "#3a2c18"), ("#f6cf3a", "#ffe27a", "#d8a828"), "#fff8c8"
    ),
    "blossom": blossom(
        ((0, "#8fc4ee"), (0.7, "#e4f0f8"), (1, "#f8e4ec")), ("#ffd0e0", "#ffb4cc", "#fff0f4")
    ),
    "blossom-white": blossom(
        ((0, "#7f9ac8"), (0.6, "#c8d8ea"), (1, "#eef2f6")),
        ("#ffffff", "#f4f0ff", "#ffe8ee"),
        "#2c2426",
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
    "ocean-jelly": jellyfish(
        ((0, "#0a1a4a"), (0.6, "#060c2a"), (1, "#020412")), ("#ff8ad0", "#8ab4ff", "#c08aff"), 11
    ),
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
    {**_LANDS, **_SEAS, **_CITIES, **TABLES, **WINDOWS, **THINGS, **_WILDS}
)
