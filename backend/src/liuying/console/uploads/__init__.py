"""Uploads of films through the console, by the protocol tus 1.0."""
