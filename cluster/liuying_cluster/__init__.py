"""A whole cluster on one machine, to run and to test with."""
