"""The operator's console: an application of its own on a listener of its own, never on the site's
(docs/decisions/0023-the-operators-console.md).
"""
