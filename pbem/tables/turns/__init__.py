"""A turn at a table: what is open in it, moves judged and written down, what comes of orders, silence and chance."""
