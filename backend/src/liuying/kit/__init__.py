"""What every slice stands on: database, envelope, errors, clock, sealing. Imports no sibling."""
