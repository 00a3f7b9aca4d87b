"""What the doctor says of secrets that are not there."""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.installation.doctor import examine
from liuying.installation.services import Services
from tests.catalogue_factory import NOW


def test_without_secrets_an_unreachable_database_is_still_told(
    services: Services, tmp_path: Path
) -> None:
    away = msgspec.structs.replace(
        services.settings,
        data_dir=tmp_path / "elsewhere",
        database_url="postgresql+psycopg://nobody@127.0.0.1:1/none",
    )
    found = {one.topic: one for one in examine(away, lambda: NOW, is_quick=True)}
    assert found["secrets"].severity == "warning"
    assert found["secrets"].sentence.startswith("找不到密钥文件")
    assert found["database"].sentence == "数据库无法读取：连不上数据库服务器"
