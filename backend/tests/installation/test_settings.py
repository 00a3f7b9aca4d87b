"""What follows from the settings."""

from __future__ import annotations

import pytest

from liuying.installation.environment import read_settings


def test_origins_are_read_as_browsers_spell_them() -> None:
    settings = read_settings(
        {
            "LIUYING_SITE_URL": "https://Site.example/",
            "LIUYING_CORS_ORIGINS": "https://A.example:443, http://localhost:5173",
            "LIUYING_FRAME_ORIGINS": "https://b.example",
            "LIUYING_AUTH_REQUIRED": "true",
        }
    )
    assert settings.site_origin == "https://site.example"
    assert settings.allowed_origins == {"https://a.example", "http://localhost:5173"}
    assert settings.framing_origins == ("https://b.example",)
    assert settings.auth_required is True


@pytest.mark.parametrize(
    ("environment", "url", "origin"),
    [
        ({}, "", ""),
        (
            {
                "LIUYING_ANALYTICS": "beacon",
                "LIUYING_ANALYTICS_URL": "https://count.example:8443/hit",
            },
            "https://count.example:8443/hit",
            "https://count.example:8443",
        ),
        (
            {
                "LIUYING_ANALYTICS": "matomo",
                "LIUYING_ANALYTICS_URL": "https://c.example/matomo.php",
                "LIUYING_ANALYTICS_ID": "7",
            },
            "https://c.example/matomo.php",
            "https://c.example",
        ),
        (
            {"LIUYING_ANALYTICS": "google", "LIUYING_ANALYTICS_ID": "G-AB12CD34EF"},
            "https://www.google-analytics.com/g/collect",
            "https://www.google-analytics.com",
        ),
    ],
)
def test_page_views_are_reported_where_the_operator_says(
    environment: dict[str, str], url: str, origin: str
) -> None:
    tool = read_settings(environment).page_view_tool
    assert (tool.kind, tool.url, tool.origin) == (
        environment.get("LIUYING_ANALYTICS", "none"),
        url,
        origin,
    )
