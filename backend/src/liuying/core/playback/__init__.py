"""The renditions that a player can choose from."""
