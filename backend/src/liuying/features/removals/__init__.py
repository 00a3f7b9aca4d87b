"""The public page of what was taken down and why."""
