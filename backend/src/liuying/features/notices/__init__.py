"""Notices from the operator to every visitor."""
