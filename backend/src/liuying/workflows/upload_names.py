"""Names of uploaded files: what the browser says, without whatever could make it a path or hide it,
and short enough for every file system.

A name that is too long is cut in front of what tells a file's kind and language, so that a film and
what goes with it have the same beginning still, and no two of these become one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from liuying.kit.errors import InvalidInputError
from liuying.kit.texts import clean_text
from liuying.media.subtitles import language_of_name
from liuying.workflows.companions import PICTURE_SUFFIXES

# Of what films and what goes with them have in common; and of what may follow it.
STEM_BYTES = 195
ENDING_BYTES = 40
MOST_SUFFIX = 12
SEPARATORS = re.compile(r"[/\\]")
# Pictures that are no covers are told apart, too: cut, they would be one.
_PICTURE_KIND = re.compile(
    r"-(poster|cover|thumb|landscape|fanart|backdrop|banner|logo|clearlogo|clearart|keyart"
    r"|characterart|disc|discart)\d{0,3}$",
    re.IGNORECASE | re.ASCII,
)
_JSON_KIND = re.compile(r"\.info$", re.IGNORECASE)
_KINDS = {**dict.fromkeys(PICTURE_SUFFIXES, _PICTURE_KIND), ".json": _JSON_KIND}


def file_name(text: str) -> str:
    """A file's name as it is kept.

    Raises:
        InvalidInputError: Nothing is left, or it has no ending.
    """
    last = SEPARATORS.split(unicodedata.normalize("NFC", text))[-1]
    name = clean_text(last).strip(" .")
    path = PurePosixPath(name)
    if not name or not path.suffix or not path.stem.strip(" ."):
        raise InvalidInputError("文件名不对：要有名称和扩展名", "filename")
    if len(path.suffix) > MOST_SUFFIX:
        raise InvalidInputError("文件名的扩展名不对", "filename")
    suffix = path.suffix.lower()
    at = _end_of_stem(path.stem, suffix)
    stem = path.stem[:at].encode()[:STEM_BYTES].decode(errors="ignore")
    return f"{stem.strip(' ')}{path.stem[at:]}{suffix}"


def require_distinct(names: Iterable[str]) -> None:
    """
    Raises:
        InvalidInputError: Two files that go with one film have one name.
    """
    seen = set[str]()
    for name in names:
        if name in seen:
            raise InvalidInputError(f"附带的文件里有两个都叫 {name}，请改名后再上传", "beside")
        seen.add(name)


def _end_of_stem(stem: str, suffix: str) -> int:
    """Where what tells the kind and the language begins, by the names that `companions` and
    `side_cars` know. Films are looked at alike: `a.en.mp4` goes with `a.en.zh.srt`.
    """
    kind = _KINDS[suffix].search(stem) if suffix in _KINDS else None
    at = kind.start() if kind else len(stem)
    while (dot := stem.rfind(".", 0, at)) > 0:
        is_short = len(stem[dot:].encode()) <= ENDING_BYTES
        if not is_short or language_of_name(stem[dot + 1 : at]) is None:
            break
        at = dot
    return at or len(stem)
