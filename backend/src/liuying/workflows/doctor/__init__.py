"""Looking an installation over for what a support person would ask about."""
