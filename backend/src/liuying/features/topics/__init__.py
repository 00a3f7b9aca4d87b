"""Topics: collections of videos arranged by the operator."""
