"""What we decided in Nomadi where the Dutch rulebook leaves room, beside what it says, each with the reason."""

from typing import Final

from engine.verdict import Ruling

P3: Final = Ruling(
    "A card lies face down on every waterhole, and the others on any squares you like.",
    "Our board has 12 waterholes, so six cards are left. They lie on plain desert, where they cannot hide a zone, and "
    "chance picks the squares because nobody lays them out by mail.",
)
P4: Final = Ruling(
    "There is a board with a start zone, waterholes, a ravine in the middle and an oasis as the goal.",
    "The board is only pictured. Reviews give 16 by 19 squares and zones of four by four in opposite corners. The "
    "waterholes are ours, and the ravine is a line because no stone could ever cross a strip of squares.",
)
D5: Final = Ruling(
    "If you can move nothing at all, you may throw again.",
    "There is nothing else to do, so we do not ask: the dice are thrown again, without a fee, until something can "
    "move.",
)
M6: Final = Ruling(
    "With a 5 or a 6 you jump over four or five stones, and may turn once by 90 degrees on the way.",
    "It is not said where you may turn, so any square that is jumped over will do.",
)
M7: Final = Ruling(
    "",
    "No source says so outright, but all take it for granted.",
)
M9: Final = Ruling(
    "If you throw a number twice or more, you may not move one and the same stone to and fro with it.",
    "A referee needs a test for “to and fro”. We look at the squares that the stone left with this number, so three 1s "
    "in a triangle back home are refused too.",
)
C3: Final = Ruling(
    "You look at the card so that nobody else sees it, and offer it to the stone's owner. You may make it sound better "
    "or worse, and lie.",
    "The offer comes before the next die, so that everybody knows which card is meant. By mail all read its words. It "
    "has no price, because coins go from player to player only in the variant.",
)
C5: Final = Ruling(
    "The owner is asked and takes the card, or you keep it.",
    "At the table the answer is part of the move, so it can be given at once. By mail nobody should have to wait for "
    "it. Silence declines, because a card may cost points.",
)
R3: Final = Ruling(
    "The player who takes a stone over the ravine last pays 5 coins. If the game ends before, nobody pays.",
    "We read it like the reward for the first stone: you pay if you move it, not if you own it. A stone crosses before "
    "it arrives, so this is paid even if the same move ends the game.",
)
G3: Final = Ruling(
    "The third stone that reaches the goal ends the game, no matter whose the three are.",
    "It is not said whether the turn is played out. We stop at once, and then dice that nobody could play any more "
    "should cost nothing.",
)
S2: Final = Ruling(
    "The player with most points wins.",
    "Nothing is said of equal points, and sharing the win needs no further rule.",
)
V1: Final = Ruling(
    "If all agree, you lay the movable oasis anywhere beyond the ravine before the game, which makes it shorter.",
    "Its size is not told; ours is that of the printed goal. It may not cover a waterhole, with its card, nor the "
    "printed goal. That leaves 17 of the 78 places beyond the ravine.",
)
V2: Final = Ruling(
    "Meanwhile you may bargain, and for example spur on the player on turn with a few coins of your own.",
    "“Of your own” means coins that you have, so not on credit. Nothing limits who pays whom, or when.",
)
V3: Final = Ruling(
    "You may help each other with advice. Keep your cards and coins from curious eyes.",
    "All coins come and go in public, so anybody could count along. By mail we count for everybody, unless the table "
    "hides coins.",
)
