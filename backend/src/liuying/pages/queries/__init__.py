"""Statements that mix features, by the page that asks."""
