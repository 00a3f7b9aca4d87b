"""What takes jobs off the queue and imports."""
