"""The visitor: a self-held data code, known here by its keyed hash only."""
