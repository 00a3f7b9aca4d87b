"""Advertisements and notices by command: what would not be seen is refused, and said."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image

from liuying.features.ads.rules import SLOTS, Slot
from liuying.installation.services import Services
from liuying.kit.encryption import ImageEncryptor
from liuying.kit.images import EncryptedImage
from liuying.media import animation
from liuying.media.animation import store_picture
from liuying.media.errors import PictureError
from tests.command_line import Run, run

__all__ = ["run"]


def picture(form: str, frames: int = 1, size: tuple[int, int] = (230, 100), ms: int = 100) -> bytes:
    """A picture of so many frames of different colours."""
    made = [Image.new("RGB", size, (number * 21 % 256, 40, 90)) for number in range(frames)]
    buffer = io.BytesIO()
    more = {"save_all": True, "append_images": made[1:], "duration": ms} if frames > 1 else {}
    made[0].save(buffer, form, **more)
    return buffer.getvalue()


def opened(services: Services, shown: EncryptedImage) -> Image.Image:
    """The picture that a browser gets."""
    name = shown.url.removeprefix("/enc/").removesuffix(".bin")
    found = services.objects.open(f"enc/{name[:2]}/{name}.bin")
    assert found is not None
    encryptor: ImageEncryptor = services.encryptor
    return Image.open(io.BytesIO(encryptor.open(found.read(0, found.size))))


@pytest.mark.parametrize("form", ["GIF", "WEBP"])
def test_a_picture_that_moves_keeps_moving(services: Services, form: str) -> None:
    shown = store_picture(
        picture(form, 12, (2300, 1000)), services.encryptor, services.objects, 1280
    )
    assert shown.type.startswith("image/webp;kid=")
    assert (shown.width, shown.height) == (960, 417)
    assert shown.jpeg
    assert shown.thumb
    found = opened(services, shown)
    assert (found.format, found.size, found.n_frames) == ("WEBP", (960, 417), 12)  # type: ignore[attr-defined]  # an animation's


def test_a_still_gif_is_a_picture(services: Services) -> None:
    shown = store_picture(picture("GIF"), services.encryptor, services.objects, 1280)
    assert opened(services, shown).size == (230, 100)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (picture("GIF", 151, (24, 24)), "动图有 151 帧，最多 150 帧"),
        (picture("GIF", 31, (24, 24), 1000), "动图长 31 秒，最多 30 秒"),
        (picture("PNG", size=(8000, 5001)), "图片过大：8000×5001（40 百万像素），最多 40 百万像素"),
        (picture("GIF", 3)[:-120], "图片无法读取"),
        (b"GIF89a", "图片无法读取"),
        (b"<svg/>", "图片无法读取"),
    ],
)
def test_why_a_picture_is_refused(services: Services, content: bytes, sentence: str) -> None:
    with pytest.raises(PictureError) as refusal:
        store_picture(content, services.encryptor, services.objects, 1280)
    assert refusal.value.message.startswith(sentence)
    assert list(services.objects.objects("enc/")) == []


def test_a_moving_picture_that_stays_large_is_refused(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(animation, "MAX_STORED_BYTES", 100)
    with pytest.raises(PictureError, match="动图压缩后有"):
        store_picture(picture("GIF", 9), services.encryptor, services.objects, 1280)


def add(run: Run, folder: Path, slot: str, *more: str) -> tuple[int, str]:
    image = folder / "a.png"
    image.write_bytes(picture("PNG"))
    fixed = ("--title", "春", "--url", "https://a.example/", "--image", image)
    result = run(folder / "data", "ad", "add", "--slot", slot, *fixed, *more)
    return result.exit_code, result.stderr.strip()


def test_a_banner_that_would_be_shown_nowhere_is_refused(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data"
    code, said = add(run, tmp_path, "BANNER")
    assert (code, "liuying banner add" in said) == (1, True)
    assert run(data, "banner", "add", "春天").exit_code == 0
    code, said = add(run, tmp_path, "BANNER")
    assert (code, said) == (1, "轮播图要属于一个标签，请指定：「春天」（--tag）")
    assert json.loads(run(data, "ad", "list", "--json").stdout) == []
    assert add(run, tmp_path, "BANNER", "--tag", "春天")[0] == 0
    assert add(run, tmp_path, "LIST")[0] == 0
    moved = run(data, "ad", "edit", "2", "--slot", "BANNER")
    assert (moved.exit_code, "--tag" in moved.stderr) == (1, True)
    assert run(data, "ad", "edit", "2", "--slot", "BANNER", "--tag", "春天").exit_code == 0


def test_the_slots_are_listed(run: Run, tmp_path: Path) -> None:
    assert set(SLOTS) == set(get_args(Slot))
    assert add(run, tmp_path, "LIST")[0] == 0
    assert add(run, tmp_path, "LIST", "--to", "2026/1/1")[0] == 0
    rows = json.loads(run(tmp_path / "data", "ad", "slots", "--json").stdout)
    found = {row["slot"]: (row["ads"], row["shown"]) for row in rows}
    assert found["LIST"] == (2, 1)
    assert found["USER"] == (0, 0)
    table = run(tmp_path / "data", "ad", "slots").stdout
    assert all(slot in table and rule.place in table for slot, rule in SLOTS.items())


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("<p>看图</p><img src=https://a.example/a.png>", "<img>"),
        ("<p>a</p><IMG\nsrc=x><table><tr><td>1</td></tr></table><img/>", "<img>、<table>"),
        ("<p>a</p><video src=x></video>", "<video>"),
    ],
)
def test_a_notice_that_would_lack_something_is_refused(
    run: Run, tmp_path: Path, content: str, named: str
) -> None:
    refused = run(tmp_path, "notice", "add", "维护", content)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"公告里不能有 {named}：只保留文字、列表和链接")
    assert refused.stderr.count("\n") == 1
    assert run(tmp_path, "notice", "add", "维护", "<p>a &lt;img&gt; 是文字</p>").exit_code == 0
    edited = run(tmp_path, "notice", "edit", "1", "--content", content)
    assert edited.exit_code == 1
