"""Where dice can take stones, what must stay together, and what a move earns: geometry under the rules."""
