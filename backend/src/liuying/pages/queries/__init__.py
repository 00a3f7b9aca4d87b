"""Statements that mix features, by page."""
