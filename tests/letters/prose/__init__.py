"""Letters by which the post has learned which words beside a move are harmless, one file for each language.

Each letter has a label: `plain` if a careful person would simply play its move, `stop` if not. The move itself is
written as «M», because it does not matter which one it is.
"""
