"""The page about a disputed turn: its file gathered from all sides, each fact held against what vouches for it."""
