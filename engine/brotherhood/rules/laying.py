"""Rules of the boards of the Watch, and of who begins (BW-P)."""

from typing import Final

from engine.verdict import Rule

_BOARD: Final = "Hebrew rulebook, rules of the Night's Watch: building the board"
_OURS: Final = "The rulebook is silent"

P1: Final = Rule(
    "BW-P1",
    "wrong-gift",
    "Four play on all 21 hexes, five of them mountains, without the ice field; the usual board is the one of the "
    "rulebook's last page.",
    _BOARD,
    obeys='[Board "standard"] -- four on the usual board',
    breaks='[Land "hills5 pasture6 mountains5 …"] -- a hill stands where the usual board has mountains',
)
P2: Final = Rule(
    "BW-P2",
    "gift-of-three",
    "Three play on 16 hexes in rows of 4, 5, 4 and 3: the board of four without three hexes in the west and two in the "
    "east of the southern rows. Their numbers are two each of 3, 4, 5, 6, 8, 9, 10 and 11; 2 and 12 bring nothing. "
    "The trade routes lie along the shorter southern edge.",
    _OURS,
    obeys='[Hexes "16"] -- three on 16 hexes',
    ruling=True,
)
P3: Final = Rule(
    "BW-P3",
    "numbers-stay",
    "On a variable board only the lands are shuffled; the numbers keep their places.",
    _BOARD,
    obeys='[Board "variable"] -- the usual numbers with other lands',
    breaks='[Land "mountains6 pasture5 …"] -- the numbers of A and B are exchanged',
)
P4: Final = Rule(
    "BW-P4",
    "lands-of-three",
    "On a variable board for three, two mountains, one pasture, one field and one forest stay in the box.",
    _OURS,
    obeys='[Board "variable"] -- three mountains among the 16 hexes',
    ruling=True,
)
P5: Final = Rule(
    "BW-P5",
    "who-begins",
    "The highest roll of the two dice begins, and a tie is rolled again; by mail chance draws the first player, which "
    "is the same.",
    _OURS,
    obeys='[First "blue"] -- chance has drawn blue as the first player, who starts with Yarwyck',
    ruling=True,
)

RULES: Final = (P1, P2, P3, P4, P5)
