"""Statements that several nouns take part in, by the workflow that asks."""
