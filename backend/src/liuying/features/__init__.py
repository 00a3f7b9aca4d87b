"""What visitors do, a noun a folder. None knows another."""
