"""A record on trial: opened, its entries heard one by one, each claim in it held against what the moves lead to."""
