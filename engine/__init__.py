"""The rules of the games, and nothing else.

A folder in here is a game, a file is shared by all of them. The engine knows no notation, no mail, no clock and no
file, and has no random source; it imports only the standard library. The names below are the public ones
(docs/library.md, and docs/new-game.md for authors of games).
"""

from engine.chance import Dealer, KeyedDealer, draw_some
from engine.game import CHANCE, PUBLIC, Game, GameRules, Move, Option, Ply, Seat, Setup, View
from engine.registry import find_game, game_keys
from engine.replay import Replay, replay
from engine.score import Line, Score, Tally
from engine.verdict import Proposal, Remedy, Rule, Verdict

__all__ = [
    "CHANCE",
    "PUBLIC",
    "Dealer",
    "Game",
    "GameRules",
    "KeyedDealer",
    "Line",
    "Move",
    "Option",
    "Ply",
    "Proposal",
    "Remedy",
    "Replay",
    "Rule",
    "Score",
    "Seat",
    "Setup",
    "Tally",
    "Verdict",
    "View",
    "draw_some",
    "find_game",
    "game_keys",
    "replay",
]
