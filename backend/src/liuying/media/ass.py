"""Subtitles of Advanced SubStation Alpha (`.ass`) and its forerunner (`.ssa`), written anew as
SubRip.

What is said and when passes, with bold, italics and underlining; styles, places, effects, drawings
and attached fonts do not. Source of the form: http://www.tcax.org/docs/ass-specs.htm
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# A file of the form begins with a section; SubRip's and WebVTT's first cue has an arrow.
SECTION = re.compile(
    r"^[ \t]*\[(?:script info|v4\+? styles|events)\]", re.IGNORECASE | re.MULTILINE
)
EVENTS = "[events]"
# Where a file does not name its columns. The words stand last, and may hold commas.
COLUMNS = (
    "layer",
    "start",
    "end",
    "style",
    "name",
    "marginl",
    "marginr",
    "marginv",
    "effect",
    "text",
)
BLOCK = re.compile(r"\{([^{}]*)\}")
# `\i1`, `\b700`, `\u0`; `\p1` begins a drawing, which `\p0` ends; `\r` ends all the others. Longer
# names (`\iclip`, `\bord`) are others'. What a weight or a scale is does not matter, but whether it
# is 0.
CODE = re.compile(r"\\(?:([ibup])([0-9]+)|(r))")


def is_ass(text: str) -> bool:
    """Whether a text has this form."""
    if text.startswith("WEBVTT"):
        return False
    section, arrow = SECTION.search(text), text.find("-->")
    return section is not None and (arrow < 0 or section.start() < arrow)


def subrip_of(text: str) -> str:
    """The events of a file as SubRip, without numbers; what is drawn in several layers is said
    once.
    """
    return "\n\n".join(dict.fromkeys(_cues(text)))


def _cues(text: str) -> Iterator[str]:
    columns: tuple[str, ...] = COLUMNS
    is_event = False
    for line in text.split("\n"):
        kind, _, rest = (part.strip() for part in line.partition(":"))
        if line.lstrip().startswith("["):
            is_event = line.strip().lower() == EVENTS
        elif is_event and kind.lower() == "format":
            columns = tuple(one.strip().lower() for one in rest.split(","))
        elif is_event and kind.lower() == "dialogue":
            event = dict(zip(columns, rest.split(",", len(columns) - 1), strict=False))
            words = _words(event.get("text", ""))
            if words:
                start, end = (event.get(name, "").strip() for name in ("start", "end"))
                yield f"{start} --> {end}\n{words}"


def _words(text: str) -> str:
    """The words of an event, with `<b>`, `<i>` and `<u>` for its codes; empty where it draws."""
    pieces, is_drawing = list[str](), False
    # What is between two blocks stands at even places, what is in them at odd ones.
    for place, piece in enumerate(BLOCK.split(text)):
        if place % 2 == 0:
            pieces += [] if is_drawing else [_escaped(piece)]
            continue
        for name, value, reset in CODE.findall(piece):
            if name == "p":
                is_drawing = _is_on(value)
            elif reset:
                pieces.append("</b></i></u>")
            else:
                pieces.append(f"<{'' if _is_on(value) else '/'}{name}>")
    # A blank line would end the cue.
    return "\n".join(line for line in "".join(pieces).split("\n") if line.strip())


def _is_on(value: str) -> bool:
    """Whether digits are more than 0. Thousands of them are no number that is worth making."""
    return value.strip("0") != ""


def _escaped(text: str) -> str:
    """Words in which nothing is markup but the ends of lines."""
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return shown.replace("\\N", "\n").replace("\\n", " ").replace("\\h", " ")
