"""Pictures that an option names."""

from __future__ import annotations

from pathlib import Path

from liuying.cli.output import read_file
from liuying.installation.services import Services
from liuying.kit.images import EncryptedImage
from liuying.media.animation import store_picture


def encrypted_picture(services: Services, path: Path | None, width: int) -> EncryptedImage | None:
    """Encrypt a picture, which may move, and keep it in the data folder; None where no path is
    given.

    Args:
        width: Pixels that it has at most.

    Raises:
        PictureError: It cannot be read, is too large, or moves for too long.
    """
    if path is None:
        return None
    return store_picture(read_file(path), services.encryptor, services.objects, width)
