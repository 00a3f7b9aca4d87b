"""Work on files that waits in the database: the ledger of jobs, its rules, and how operators
change it.
"""
