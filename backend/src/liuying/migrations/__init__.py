"""Migrations: one file a step, numbered, forward only."""
