"""Every statement of the ledger of jobs."""
