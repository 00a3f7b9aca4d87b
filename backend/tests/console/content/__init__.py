"""The calls about the site's content."""
