"""Reading the settings: typed, and refused by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from liuying.installation.environment import SettingsError, read_settings
from liuying.installation.settings import Settings
from liuying.kit.s3_place import S3Place


def test_defaults() -> None:
    assert (read_settings({}).host, read_settings({}).port) == ("127.0.0.1", 8000)
    assert read_settings({"UNRELATED": "x"}) == Settings()


def test_values_are_read() -> None:
    settings = read_settings(
        {"PORT": "9000", "LIUYING_SHOW_ADS": "false", "LIUYING_DATA_DIR": "/srv/liuying"}
    )
    assert (settings.port, settings.show_ads, settings.data_dir) == (
        9000,
        False,
        Path("/srv/liuying"),
    )
    assert settings.database == "sqlite:////srv/liuying/liuying.db"


@pytest.mark.parametrize(
    "environment",
    [
        {"PORT": "http"},
        {"PORT": "70000"},
        {"LIUYING_PAGE_SIZE": "0"},
        {"LIUYING_SHOW_ADS": "perhaps"},
        {"LIUYING_MEDIA_BASE": "javascript:alert(1)"},
        {"LIUYING_UNKNOWN": "1"},
        {"LIUYING_AUTH_REQUIRED": "sometimes"},
        {"LIUYING_SITE_URL": "javascript:alert(1)"},
        {"LIUYING_SITE_URL": "https://a.example/path"},
        {"LIUYING_CORS_ORIGINS": "*"},
        {"LIUYING_CORS_ORIGINS": "https://a.example,null"},
        {"LIUYING_FRAME_ORIGINS": "https://*.example"},
        {"LIUYING_FRAME_ORIGINS": "https://a.example; script-src *"},
        {"LIUYING_CONSOLE_ORIGIN": "https://192.0.2.1"},
        {"LIUYING_CONSOLE_ORIGIN": "http://127.0.0.1:9100"},
        {"LIUYING_CONSOLE_ORIGIN": "http://[::1]:9100"},
        {"LIUYING_CONSOLE_ORIGIN": "http://console.example"},
        {"LIUYING_CONSOLE_ORIGIN": "https://console.example/path"},
        {"LIUYING_CONSOLE_PORT": "-1"},
        {"LIUYING_CONSOLE_HOST": "192.0.2.1"},
        {"LIUYING_ANALYTICS": "everything"},
        {"LIUYING_ANALYTICS": "beacon"},
        {"LIUYING_ANALYTICS_URL": "https://count.example/hit"},
        {"LIUYING_ANALYTICS": "beacon", "LIUYING_ANALYTICS_URL": "javascript:alert(1)"},
        {"LIUYING_ANALYTICS": "beacon", "LIUYING_ANALYTICS_URL": "http://count.example/hit"},
        {
            "LIUYING_ANALYTICS": "beacon",
            "LIUYING_ANALYTICS_URL": "https://count.example/hit; script-src *",
        },
        {"LIUYING_ANALYTICS": "beacon", "LIUYING_ANALYTICS_URL": "https://*.example/hit"},
        {"LIUYING_ANALYTICS": "beacon", "LIUYING_ANALYTICS_URL": "https://user@count.example/hit"},
        {
            "LIUYING_ANALYTICS": "beacon",
            "LIUYING_ANALYTICS_URL": "https://c.example/",
            "LIUYING_ANALYTICS_ID": "1",
        },
        {"LIUYING_ANALYTICS": "matomo", "LIUYING_ANALYTICS_URL": "https://c.example/matomo.php"},
        {"LIUYING_ANALYTICS": "google", "LIUYING_ANALYTICS_ID": "UA-1"},
        {"LIUYING_METRICS_PORT": "70000"},
        {
            "LIUYING_WEBHOOK_URL": "http://ops.example/",
            "LIUYING_WEBHOOK_SECRET": "0123456789abcdef",
        },
        {"LIUYING_WEBHOOK_URL": "https://ops.example/"},
        {"LIUYING_ACCEL_PREFIX": "protected"},
        {"LIUYING_ACCEL_PREFIX": "/a/../b"},
    ],
)
def test_wrong_values_are_refused(environment: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=r"设置"):
        read_settings(environment)


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PORT": "70000"}, "设置有误：PORT 应为 0 到 65535 的整数"),
        ({"LIUYING_SHOW_ADS": "perhaps"}, "设置有误：LIUYING_SHOW_ADS 应为 true 或 false"),
        (
            {"LIUYING_ANALYTICS": "x"},
            "设置有误：LIUYING_ANALYTICS 应为 beacon、google、matomo、none 之一",
        ),
        (
            {"LIUYING_TRUSTED_PROXIES": "x"},
            "设置有误：LIUYING_TRUSTED_PROXIES 应为用逗号分开的网段，例如 10.0.0.0/8",
        ),
        (
            {"LIUYING_MEDIA_BASE": "x"},
            "设置有误：LIUYING_MEDIA_BASE 的写法不对，见 docs/operating.md 的表",
        ),
        (
            {"LIUYING_MEDIA_BASE": "https://[abc"},
            "设置有误：LIUYING_MEDIA_BASE 的写法不对，见 docs/operating.md 的表",
        ),
        (
            {"LIUYING_WEBHOOK_URL": "https://[abc/x", "LIUYING_WEBHOOK_SECRET": "x" * 20},
            "设置有误：LIUYING_WEBHOOK_URL 应为 https:// 开头的地址（本机可用 http://127.0.0.1）",
        ),
        (
            {"LIUYING_ANALYTICS": "beacon", "LIUYING_ANALYTICS_URL": "https://[abc/x"},
            "设置有误：来源 'https://[abc' 应为 https://域名[:端口]（本机可用 "
            "http://localhost[:端口]）",
        ),
    ],
)
def test_what_a_value_should_be_is_said(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        read_settings(environment)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    "url", ["nonsense", "mysql://somebody:hidden@host/x", "postgresql://somebody:hidden@host/x"]
)
def test_a_database_of_another_kind_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(SettingsError, match="LIUYING_DATABASE_URL") as refusal:
        read_settings({"LIUYING_DATABASE_URL": url})
    assert "hidden" not in str(refusal.value)


BUCKET = {
    "LIUYING_STORE": "s3://media/site/one",
    "LIUYING_S3_ENDPOINT": "https://s3.example.com/",
    "LIUYING_S3_ACCESS_KEY": "AK",
}


def test_a_bucket_and_keys_in_files(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("SK\n")
    given = BUCKET | {"LIUYING_S3_SECRET_KEY_FILE": str(tmp_path / "secret")}
    assert read_settings(given).s3_place == S3Place(
        bucket="media",
        prefix="site/one",
        endpoint="https://s3.example.com",
        access_key="AK",
        secret_key="SK",  # noqa: S106 - no store's
    )
    assert read_settings({}).s3_place is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "LIUYING_STORE 是 S3，还需要 LIUYING_S3_SECRET_KEY"),
        ({"LIUYING_STORE": "/srv/media"}, "LIUYING_STORE 应为 s3://桶"),
        ({"LIUYING_STORE": "s3://a"}, "LIUYING_STORE 应为 s3://桶"),
        ({"LIUYING_STORE": "s3://media/../up"}, "LIUYING_STORE 应为 s3://桶"),
        ({"LIUYING_STORE": "s3://media/a/.b"}, "LIUYING_STORE 应为 s3://桶"),
        ({"LIUYING_S3_ENDPOINT": "s3.example.com"}, "LIUYING_S3_ENDPOINT 应为 https://主机"),
        ({"LIUYING_S3_ENDPOINT": "https://a.example/x"}, "LIUYING_S3_ENDPOINT 应为 https://主机"),
        ({"LIUYING_S3_SECRET_KEY_FILE": "/there/is/none"}, "文件或文件夹不存在"),
        ({"LIUYING_S3_SECRET_KEY_FILE": "/dev/null"}, "是空的"),
    ],
)
def test_an_incomplete_bucket_is_refused(change: dict[str, str], sentence: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(sentence)) as refused:
        read_settings(BUCKET | change)
    assert "AK" not in str(refused.value)
