"""What every slice stands on: database, envelope, errors, clock, encryption. Imports no sibling."""
