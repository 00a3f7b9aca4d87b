"""The nouns that features speak of: the catalogue, its playback, visitors, jobs."""
