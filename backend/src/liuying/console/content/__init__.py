"""The operator's calls about the site's content, by the same workflows as the commands."""
