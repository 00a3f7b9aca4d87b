"""Finding videos by words, and the hot words that visitors are offered."""
