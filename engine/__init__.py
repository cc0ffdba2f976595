"""The rules of the games, and nothing else.

In here a folder is a game and a file is shared by all of them. The engine knows no notation, no mail, no
clock, no file, and owns no random source; it imports only the standard library. A game author needs the
names below.
"""

from engine.chance import Dealer, KeyedDealer, draw_some
from engine.game import CHANCE, PUBLIC, Game, Move, Option, Ply, Seat, Setup, View
from engine.replay import Replay, replay
from engine.score import Line, Score, Tally
from engine.verdict import Rule, Verdict

__all__ = [
    "CHANCE",
    "PUBLIC",
    "Dealer",
    "Game",
    "KeyedDealer",
    "Line",
    "Move",
    "Option",
    "Ply",
    "Replay",
    "Rule",
    "Score",
    "Seat",
    "Setup",
    "Tally",
    "Verdict",
    "View",
    "draw_some",
    "replay",
]
