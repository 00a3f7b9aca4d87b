"""Sources of the cards, from the services of the process."""

from __future__ import annotations

from liuying.installation.services import Services
from liuying.kit.patient_reads import PatientReads
from liuying.pages.cards import CardSources

ICON = "icons/icon-192.png"
# Of a cover. What was drawn with one is cached by itself.
MOST_BYTES, KEPT = 2_000_000, 4


def card_sources(services: Services) -> CardSources:
    """The sources according to the settings."""
    icon = services.settings.web_dir / ICON
    return CardSources(
        pictures=PatientReads(services.objects, MOST_BYTES, KEPT),
        encryptor=services.encryptor,
        icon=icon.read_bytes() if icon.is_file() else None,
        has_covers=services.settings.plain_covers,
        is_site_only=services.settings.auth_required,
    )
