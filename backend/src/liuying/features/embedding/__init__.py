"""Partners that show the site in their own pages, and the sessions they vouch for."""
