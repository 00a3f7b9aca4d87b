"""The visitor: a self-held data code, stored here as a keyed hash only."""
