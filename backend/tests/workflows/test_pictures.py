"""Objects of encrypted pictures: the replaced go, the shown stay, and what a kill leaves is
swept.
"""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from PIL import Image

from liuying.core.catalogue.tables import artist, category, video
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.object_keys import PICTURES, picture_key
from liuying.kit.object_store import read_object
from liuying.media.errors import PictureError
from liuying.workflows import editing
from liuying.workflows.editing import edit_video
from liuying.workflows.pictures import FRESH_S, GRACE_S, ForeignStoreError, sweep_pictures
from liuying.workflows.queries.pictures import IMAGES
from liuying.workflows.video_meta import GivenMeta
from tests.workflows.aging import Age, aging, picture_files


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def picture(colour: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 36), colour).save(buffer, "PNG")
    return buffer.getvalue()


def objects(services: Services) -> set[str]:
    return {one.key for one in services.objects.objects(f"{PICTURES}/")}


@pytest.fixture
def age(filled: Services, monkeypatch: pytest.MonkeyPatch) -> Age:
    return aging(filled, monkeypatch)


def cover(services: Services, video_id: int, colour: str) -> set[str]:
    """Give a video a cover; the objects that came with it."""
    before = objects(services)
    edit_video(services, video_id, GivenMeta(), picture(colour))
    return objects(services) - before


def test_a_replaced_cover_goes_unless_somebody_shows_it(filled: Services, age: Age) -> None:
    teal = cover(filled, 105, "teal")
    assert len(teal) == 2
    assert cover(filled, 106, "teal") == set()
    age(FRESH_S + 1)
    red = cover(filled, 105, "red")
    assert objects(filled) == teal | red
    age(FRESH_S + 1)
    blue = cover(filled, 106, "blue")
    assert objects(filled) == red | blue


def test_the_same_cover_again_stays(filled: Services, age: Age) -> None:
    teal = cover(filled, 105, "teal")
    age(FRESH_S + 1)
    assert cover(filled, 105, "teal") == set()
    assert objects(filled) == teal


def test_every_column_with_a_picture_keeps_it(filled: Services, age: Age) -> None:
    teal = cover(filled, 105, "teal")
    with filled.database.write() as connection:
        shown = connection.execute(sa.select(video.c.cover).where(video.c.id == 105)).scalar_one()
        connection.execute(sa.update(category).where(category.c.id == 1).values(icon=shown))
        connection.execute(sa.update(artist).values(image=shown))
    age(FRESH_S + 1)
    red = cover(filled, 105, "red")
    age(2 * GRACE_S)
    assert sweep_pictures(filled.database, filled.objects) == 0
    assert objects(filled) == teal | red


def test_what_somebody_is_about_to_show_is_left_to_the_sweep(filled: Services, age: Age) -> None:
    teal = cover(filled, 105, "teal")
    age(FRESH_S + 1)
    for key in teal:  # another command has just stored the same picture
        filled.objects.put_if_absent(key, read_object(filled.objects, key))
    red = cover(filled, 105, "red")
    assert objects(filled) == teal | red
    age(GRACE_S + 1)
    assert sweep_pictures(filled.database, filled.objects) == 2
    assert objects(filled) == red


def test_a_kill_before_the_row_and_one_after_it_are_swept(
    filled: Services, age: Age, monkeypatch: pytest.MonkeyPatch
) -> None:
    teal = cover(filled, 105, "teal")
    age(FRESH_S + 1)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(
            editing, "forget_picture", die
        )  # the row leads to the new picture, the old one lies there
        with pytest.raises(KeyboardInterrupt):
            cover(filled, 105, "red")
    red = objects(filled) - teal
    with monkeypatch.context() as killed:
        killed.setattr(
            editing, "reindex_video", die
        )  # the new picture lies there, the row leads to the old one
        with pytest.raises(KeyboardInterrupt):
            cover(filled, 105, "blue")
    assert len(objects(filled)) == 6
    assert sweep_pictures(filled.database, filled.objects) == 0  # it might still get its row
    age(GRACE_S + 1)
    Housekeeping(filled).sweep()
    assert objects(filled) == red


def test_the_folder_of_another_database_is_left_alone(filled: Services, age: Age) -> None:
    cover(filled, 105, "teal")
    with filled.database.write() as connection:
        connection.execute(sa.delete(video))
        for table in (artist, category):
            connection.execute(
                sa.update(table).values(
                    {name: None for name in ("image", "icon") if name in table.c}
                )
            )
        for column in IMAGES[3:]:
            connection.execute(sa.delete(column.table))
    age(GRACE_S + 1)
    with pytest.raises(ForeignStoreError, match="none of 2 objects"):
        sweep_pictures(filled.database, filled.objects)
    assert len(objects(filled)) == 2


def test_a_cover_that_is_no_picture_changes_nothing(filled: Services) -> None:
    teal = cover(filled, 105, "teal")
    with pytest.raises(PictureError):
        edit_video(filled, 105, GivenMeta(), b"GIF89a")
    assert objects(filled) == teal


class TestFolder:
    """What only files have: drafts beside them, and a moment between look and removal."""

    @pytest.fixture
    def store(self) -> str:
        return "folder"

    def test_drafts_and_strangers(self, filled: Services, age: Age) -> None:
        cover(filled, 105, "teal")
        kept = picture_files(filled)
        folder = filled.data_dir / "enc" / "aa"
        folder.mkdir(exist_ok=True)
        for name in (
            ".0.bin.1234",
            f".{'a' * 32}.bin.going",
            "notes.txt",
            "a.bin",
            f"{'g' * 32}.bin",
        ):
            (folder / name).write_bytes(b"x")
        age(GRACE_S + 1)
        assert sweep_pictures(filled.database, filled.objects) == 2
        assert {path.name for path in picture_files(filled) - kept} == {
            "notes.txt",
            "a.bin",
            f"{'g' * 32}.bin",
        }

    def test_an_object_stored_while_it_is_removed_stays(
        self, filled: Services, age: Age, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever stores it between the look and the removal makes it fresh: it is put back."""
        cover(filled, 105, "teal")
        path = min(picture_files(filled))
        age(GRACE_S + 1)
        rename = Path.rename

        def store_first(one: Path, target: Path) -> Path:
            if one == path:
                os.utime(one)
            return rename(one, target)

        monkeypatch.setattr(Path, "rename", store_first)
        assert not filled.objects.delete(
            picture_key(path.stem), stored_before=time.time() - GRACE_S
        )
        assert path.is_file()
        assert not [one for one in picture_files(filled) if one.name.startswith(".")]
