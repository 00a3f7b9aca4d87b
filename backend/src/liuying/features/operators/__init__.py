"""Who may use the console: one-time addresses, sessions, passkeys, roles."""
