"""Collections that the operator puts together."""
