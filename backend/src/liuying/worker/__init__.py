"""Workers, which take jobs off the queue and import."""
