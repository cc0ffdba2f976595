"""Words for people: sentences of a language, what happened, when, and what it brought."""
