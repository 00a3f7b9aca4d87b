"""Every statement of search."""
