"""Commands by mail: a module for each family, and the parser that finds them in a letter."""
