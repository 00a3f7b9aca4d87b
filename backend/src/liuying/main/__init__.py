"""Composition root: settings, the application, the command line. Imports all, imported by none."""
