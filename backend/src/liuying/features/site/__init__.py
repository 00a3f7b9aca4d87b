"""What the site calls itself: name, logo, colours and texts, the operator's own."""
