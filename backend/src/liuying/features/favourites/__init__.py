"""Favourites of a visitor, and the page of other visitors' favourites."""
