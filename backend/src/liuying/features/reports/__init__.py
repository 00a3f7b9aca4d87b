"""Videos that visitors report to the operator, and what became of it."""
