"""Numbers of rows, as every database holds them."""

# Identifiers have 32 bits; larger numbers are refused before any look-up.
MAX_ID = 2**31 - 1
