"""Grammars compiled to LALR(1) tables and cached, and the parser that runs them in time linear in the text."""
