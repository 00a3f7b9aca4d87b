"""One installation: its settings, database, secrets and services, put together."""
