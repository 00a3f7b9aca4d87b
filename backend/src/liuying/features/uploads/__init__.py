"""Files on their way from an operator's browser."""
