"""What changes several nouns in one step: importing, editing, removing, restoring."""
