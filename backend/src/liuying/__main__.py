"""`python -m liuying`: the same command where its script is not on the path."""

from liuying.cli.app import app

app()
