"""What changes several slices in one step: importing, removing, filling a demo."""
