"""What we decided in the full game where the Hebrew rulebook leaves room, beside what it says, each with the reason."""

from typing import Final

from engine.verdict import Ruling

_AT_ONCE: Final = "The third breach or the eighth wildling ends the game at once."
_MORE: Final = "If more wildlings wait than guards stand there, they break through."

# Boards, set-up, tokens

P1: Final = Ruling(
    "For a first game a board is proposed in a picture on the last page. Four players use all 21 hexes.",
    "We do not have this picture. Our usual board is that of a public program, which fits what is in the box.",
)
P2: Final = Ruling(
    "Three players use 16 hexes, laid as a picture on the last page shows.",
    "We do not have this picture. Without these five hexes both sides are alike and two of each number are left, "
    "which can hardly be chance. The places of the routes are ours.",
)
P4: Final = Ruling("", "They are the lands that the usual board for three leaves out.")
P5: Final = Ruling(
    "Everybody rolls the two production dice; the highest roll plays first.",
    "A draw gives everybody the same chance and saves a round of letters.",
)
P6: Final = Ruling(
    "The supply gives one card for three. Trade routes are those of the base game.",
    "With that rate a 3:1 route would be of no use, and the box has five markers, all of them 2:1. Their places are "
    "those of a public program.",
)
S1: Final = Ruling(
    "The wildlings begin in the Frostfangs and the breach marker on its start. Tokens are shuffled face down: one "
    "under each settlement, two under each keep, the rest is the pool. Everybody has seven guards.",
    "How many there are of each kind follows from public lists of what is in the box. A caption of the board names "
    "Tormund's camp, so he begins there.",
)
S2: Final = Ruling(
    "If you buy a settlement, you turn up its token.",
    "Those of the set-up are not bought. Where their tokens go is not said; in the pool they stay in the game.",
)
R2: Final = Ruling(
    "First production, then the wildlings advance.",
    "Nothing is named in between, and by mail one clear order is easier to follow.",
)
R4: Final = Ruling("", "Nothing forbids it, and Tormund belongs to no clan.")
T2: Final = Ruling(
    "The wildling goes from the Frostfangs to the clan that its token shows.",
    "The camp is not named. The rules reference ranks camps by their fires, the hottest next to the trails.",
)
T3: Final = Ruling("", "There is nothing to place.")
T5: Final = Ruling(
    "When the pool is empty, the used tokens are shuffled and become a new one.",
    "At once, so that there is always a token to take.",
)
T6: Final = Ruling(
    "A settlement turns up a token, and so does a special card.",
    "Which comes first is not said. What was built comes before what it brings.",
)
T7: Final = Ruling("", "By mail nobody can point at one of the settlements on the card, so they need an order.")
T8: Final = Ruling(
    "A keep's tokens are turned up, and the settlement that comes back gets a new one.",
    "Which comes first is not said. We keep the order in which the text tells it.",
)

# Wildlings

A1: Final = Ruling(
    "A numbered trail joins a camp to a clearing. When the wildling die shows its number, wildlings in that camp come "
    "down to the clearing. The Cave Dwellers have the trails 4 and 5.",
    "The rest is in a picture that we do not have. Our trails are those of a public program, and agree with the "
    "examples. Six trails bear the numbers 1 to 8, so nothing is left for 9 to 12.",
)
A3: Final = Ruling("", "One thing after the other is easier to follow.")
C5: Final = Ruling(_MORE, "This is so now, although it was a giant and not another regular that made it so.")
C6: Final = Ruling(_MORE, "No moment is named, so it holds at any moment.")
C7: Final = Ruling(
    "A breach costs the guard on space 1; then all wildlings of the clearing cross.",
    "They are crossing already, so nobody is left to break through again.",
)
L1: Final = Ruling(
    "Each holds a hex south of the Wall that has no wildling yet, as red arrows in a picture show.",
    "We do not have this picture. Our lines are those of a public program.",
)
L2: Final = Ruling("", "A rush has no die, so one of the trail's numbers must do.")
L3: Final = Ruling("", "They have to go somewhere, and the nearest free hex is what you would expect.")
L4: Final = Ruling("", "One breach has one cause, so it has one number.")
L5: Final = Ruling("", "Lower numbers come first elsewhere, too.")

# Guards and the end

G1: Final = Ruling(
    "You choose a section and put the guard on its lowest free number.",
    "How many spaces a section has is in a picture only. Public descriptions of the board agree on five.",
)
K2: Final = Ruling("", "Nobody can take what the supply lacks.")
E4: Final = Ruling(
    "Of those still level the one with guards on lower numbers wins, then the one with guards further west.",
    "With several guards each it must be said which are compared first. A point is a point, hidden or not.",
)
E5: Final = Ruling("", "Somebody has to win, and the order of turns is known to all.")
E6: Final = Ruling(_AT_ONCE, "What ends the game is still carried out to its end.")
E7: Final = Ruling(_AT_ONCE, "At once means that nothing comes after it.")

# Heroes

H3: Final = Ruling(
    "A hero that you flip can be used again in your next turn.",
    "So it is once a turn. Tarly answers rolls, so for him it is once a roll.",
)
H7: Final = Ruling(
    "All heroes lie beside the board; with three players nobody takes Yarwyck.",
    "So he stays there with the others.",
)
H8: Final = Ruling(
    "A hero is not used in the turn in which you took it.",
    "Those of the start were taken before the first turn.",
)
H9: Final = Ruling("", "We do not have the cards, and the numbers only give the heroes an order.")
H11: Final = Ruling("A turn is rolling, then trading, then building.", "What a hero builds is building, too.")
H12: Final = Ruling("", "Silence should cost as little as possible, and nobody should have to wait.")
J12: Final = Ruling("", "Hands stay hidden, and nobody should promise a card that they do not have.")
J13: Final = Ruling("", "The wildlings belong to the roll, so they come first. A hero serves from your first turn on.")
J14: Final = Ruling("", "A road cannot rest on itself, and one that goes back to its place has not moved.")
J15: Final = Ruling("", "What we know of the cards names no limit.")
J16: Final = Ruling("", "A look at two cards is better than none.")
J17: Final = Ruling("", "What is hidden stays hidden, and a hero who can take nothing should not be used up.")
J18: Final = Ruling("", "A token is a token, no matter who turns it up.")
J19: Final = Ruling("", "What we know of the card names none.")
J20: Final = Ruling("", "What is given up is gone, and the card belongs to the player with most.")
J21: Final = Ruling("", "Nobody can take what is not there. The land pays, no matter who stands on it.")
