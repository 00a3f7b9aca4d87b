"""Pictures as the console shows them: the store holds them encrypted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import PathParameter
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenServices
from liuying.features.operators.rules import Role
from liuying.kit.encryption import NAME_LENGTH, EncryptionError, encrypted_name
from liuying.kit.errors import NotFoundError
from liuying.kit.object_keys import picture_key
from liuying.kit.object_store import read_object
from liuying.kit.responses import INVALID, MISSING, UNAUTHORIZED

Name = Annotated[str, PathParameter(pattern=f"^[0-9a-f]{{{NAME_LENGTH}}}$")]
YEAR_S = 31_536_000


class PictureView(msgspec.Struct, frozen=True):
    """A stored picture.

    Attributes:
        url: Where the console shows it.
        width: Pixels; None where that is not known.
        height: Pixels likewise.
    """

    url: str
    width: int | None
    height: int | None


def picture_view(image: Mapping[str, Any] | None) -> PictureView | None:
    """A row's picture (`EncryptedImage` as JSON); None where it has none."""
    if not image or not image.get("url"):
        return None
    name = encrypted_name(str(image["url"]))
    return PictureView(f"/api/pictures/{name}", image.get("width"), image.get("height"))


@get(
    "/api/pictures/{name:str}",
    sync_to_thread=True,
    summary="A picture",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **MISSING, **INVALID},
    media_type="image/avif",
)
def get_picture(name: Name, services: GivenServices) -> Response[bytes]:
    """Decrypted. Its name is made from its content, so it never changes."""
    try:
        plain = services.encryptor.open(read_object(services.objects, picture_key(name)))
    except (EncryptionError, FileNotFoundError) as error:
        raise NotFoundError from error
    headers = {"cache-control": f"private, max-age={YEAR_S}, immutable"}
    return Response(plain, media_type=_media_type(plain), headers=headers)


def _media_type(plain: bytes) -> str:
    """What the media pipeline wrote: AVIF, WebP or JPEG."""
    if plain[:3] == b"\xff\xd8\xff":
        return "image/jpeg"
    return "image/webp" if plain[:4] == b"RIFF" else "image/avif"


ROUTES: list[ControllerRouterHandler] = [get_picture]
