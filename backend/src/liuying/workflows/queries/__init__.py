"""Statements that involve several nouns, by workflow."""
