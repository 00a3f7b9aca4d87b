"""One installation: settings, database, secrets and services put together."""
