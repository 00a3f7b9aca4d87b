"""The demo catalogue: moving pictures and sound drawn by code, imported by the real pipeline."""
