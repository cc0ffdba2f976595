"""What we decided in Through the Desert where the rulebooks leave room, beside what they say, each with the reason."""

from typing import Final

from engine.verdict import Ruling

P3: Final = Ruling(
    "Everybody takes one camel of each colour for the leaders; the rest are the herds. Two players take ten more out "
    "of each herd, three players five.",
    "With five players it is not said where the camel of a removed leader goes. A leader that is taken out of the game "
    "takes its camel along.",
)
P6: Final = Ruling(
    "With two or three players the smaller part of the map, beyond a white line, is not used.",
    "The core follows a public copy of the printed board, which does not show the east part. Ours has as many palm "
    "spaces and dots as the books say.",
)
L5: Final = Ruling(
    "In the first round of leaders nobody may place a colour that somebody has placed before.",
    "Of five players each has taken out another colour, so a careless choice could leave the last of them no colour at "
    "all.",
)
T3: Final = Ruling(
    "In your turn you must take two camels and place them.",
    "The books do not think of players who cannot. We ask for as much as can be done, so nobody passes to gain by it.",
)
E1: Final = Ruling(
    "An unbroken chain of one colour cuts an area off, with or without the edge of the board and the mountains in its "
    "middle. With two or three players the part beyond the white line is not used.",
    "A part that is not used cannot keep an area open, so the white line is an edge then.",
)
S1: Final = Ruling(
    "One chapter ends the game when the last camel of a colour is placed, another at the end of that player's turn.",
    "The chapter on the end of the game is the more exact of the two, and lets every turn be whole.",
)
S2: Final = Ruling(
    "For each colour the player whose caravan has most camels gets 10 points; if several have equally many, each gets "
    "5.",
    "A leader rides a camel of its colour, so that camel counts too, even if it stands alone.",
)
