"""The command line: options, texts and exit codes. The work stands elsewhere."""
