"""A catalogue of many games: what is known of each, found without reading it again. It can be deleted."""
