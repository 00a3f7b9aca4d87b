"""Videos, categories, labels and artists: what a visitor browses."""
