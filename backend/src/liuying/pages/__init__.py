"""Read models that mix features: home, the player page, search results, the runtime
configuration.
"""
