"""Noticing that the installed program was touched (docs/decisions/0026-told-when-touched.md)."""
