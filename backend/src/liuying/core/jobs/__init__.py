"""Work on files that waits in the database until somebody does it: the ledger, its rules, and what
operators change.
"""
