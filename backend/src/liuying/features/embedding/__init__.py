"""Partners that embed the site in their own pages, and the sessions that they vouch for."""
