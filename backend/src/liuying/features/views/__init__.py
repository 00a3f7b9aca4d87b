"""Views, ranks and play health: what was watched, how often, and how well it played."""
