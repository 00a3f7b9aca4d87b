"""Read models that mix slices: home, the player page, search results, the runtime configuration."""
