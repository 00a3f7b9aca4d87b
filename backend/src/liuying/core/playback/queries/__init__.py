"""Every statement of playback."""
