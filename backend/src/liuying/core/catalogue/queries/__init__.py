"""Every statement of the catalogue."""
