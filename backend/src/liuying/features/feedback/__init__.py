"""What visitors report to the operator."""
