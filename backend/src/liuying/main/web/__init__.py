"""HTTP: the application, the kept answers in front of it, files, and the protocol's limits."""
