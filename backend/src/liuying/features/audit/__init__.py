"""What operators did in the console: an append-only log."""
