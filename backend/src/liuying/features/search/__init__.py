"""Finding videos by words, and the hot words offered to visitors."""
