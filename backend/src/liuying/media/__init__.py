"""From a source file to what a browser plays: probe, plan, transcode, package, cover, publish."""
