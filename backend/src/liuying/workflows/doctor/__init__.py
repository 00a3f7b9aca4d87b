"""Examining an installation for what a support person would ask about."""
