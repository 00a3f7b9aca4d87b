"""The renditions that a player may choose from."""
