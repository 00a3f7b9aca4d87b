"""Work on the installation itself that takes longer than a call: asked for, or by a schedule."""
