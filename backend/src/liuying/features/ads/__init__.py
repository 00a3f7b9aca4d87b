"""Advertisements by slot, banner tags and application links."""
