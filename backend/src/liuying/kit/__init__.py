"""What every layer stands on: database, envelope, errors, clock, encryption. Imports no sibling."""
