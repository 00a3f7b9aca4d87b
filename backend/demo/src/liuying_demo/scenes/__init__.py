"""Drawn, moving scenes: pure functions of a stage and a seed, nothing is loaded or downloaded."""
