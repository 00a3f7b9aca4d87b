"""Backups, drilled restores, and the doctor."""
