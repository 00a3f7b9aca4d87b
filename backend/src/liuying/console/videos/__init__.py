"""The catalogue on the console: found, changed one by one and many at once."""
