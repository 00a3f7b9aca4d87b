"""Filling an empty installation with made-up videos, to measure with. Never beside real data."""
