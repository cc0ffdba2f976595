"""How commands meet the terminal: shared arguments, colours, progress, reports."""
