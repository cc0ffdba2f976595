"""From grammars to machines that read by them, linear in the text; compiled once and kept."""
