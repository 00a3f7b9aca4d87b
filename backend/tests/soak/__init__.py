"""What must hold over many rounds: a few in the suite, many by `make soak`."""
