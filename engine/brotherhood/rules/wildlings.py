"""Rules of trails, clearings, breaches, and the lines into the Gift (BW-A, BW-C, BW-L)."""

from typing import Final

from engine.brotherhood.rules import watch_rulings as rulings
from engine.verdict import Rule

_ADVANCE: Final = "Hebrew rulebook, rules of the Night's Watch: the wildlings advance"
_WILDLINGS: Final = "Hebrew rulebook, rules of the Night's Watch: wildlings"
_BREACH: Final = "Hebrew rulebook, rules of the Night's Watch: breaching the Wall"
_OURS: Final = "The rulebook is silent"

A1: Final = Rule(
    "BW-A1",
    "trails",
    "Ice River has the trails 1, 2 and 3, the Cave Dwellers 4 and 5, Hornfoot 6 and 7, 8. When the wildling die shows "
    "a trail's number, the wildling in the hottest camp of its clan, if there is one, goes down it to the clearing: "
    "1, 2 to the first, 3 and 4 to the second, 5 and 6 to the third, 7, 8 to the fourth. The others move up one camp. "
    "From 9 to 12 nobody moves.",
    _ADVANCE,
    obeys="20. *: dice 1 1 12 -- 12 is no trail: nobody moves",
    ruling=rulings.A1,
)
A2: Final = Rule(
    "BW-A2",
    "rush",
    "When a fifth wildling comes to a clan, the two in the hottest camps advance at once: the hottest over the "
    "lower-numbered trail, the next over the higher-numbered. The other three move up.",
    _ADVANCE,
    obeys="25. *: token ice-river regular, token hornfoot regular -- the fifth of Ice River: two rush, over 1 and 3",
)
A3: Final = Rule(
    "BW-A3",
    "one-rusher-after-the-other",
    "The first of a rush is followed to the end, a breach included, before the second sets out.",
    _OURS,
    obeys=(
        "25. *: token ice-river regular, token hornfoot regular -- the first breaks through, then the second goes on"
    ),
    ruling=rulings.A3,
)
C1: Final = Rule(
    "BW-C1",
    "climber",
    "A climber that comes to a clearing crosses the Wall at once and holds a hex. That is no breach, and guards do "
    "not stop it.",
    _WILDLINGS,
    obeys="19. *: dice 1 1 2 -- a climber comes over the first section past red's guard; no breach",
)
C2: Final = Rule(
    "BW-C2",
    "giant",
    "A giant takes the guard on space 1 off the section it meets: the guard goes back to its owner, the others move "
    "down one number, the giant returns to the Frostfangs. Where no guard stands, it breaks through and holds a hex.",
    _WILDLINGS,
    obeys="19. *: dice 1 1 1 -- red's guard falls, blue's moves down, the giant goes home",
)
C3: Final = Rule(
    "BW-C3",
    "regular",
    "Regular wildlings wait in the clearing. When there are more of them than guards on the section, they break "
    "through.",
    _WILDLINGS,
    obeys="20. *: dice 1 1 2 -- two regulars wait before two guards; the section holds",
)
C4: Final = Rule(
    "BW-C4",
    "breach",
    "In a breach the guard on space 1 goes back to its owner and the others move down one number; then all wildlings "
    "of the clearing cross one by one, each onto a hex without a wildling; the breach marker moves on.",
    _BREACH,
    obeys="24. *: dice 1 1 5 -- three regulars, two guards: one guard is lost, three hexes are held",
)
C5: Final = Rule(
    "BW-C5",
    "breach-behind-a-giant",
    "When a giant has taken a guard and the regulars waiting there now outnumber the rest, a breach follows at once, "
    "and costs another guard.",
    _WILDLINGS,
    obeys="24. *: dice 1 1 5 -- the giant takes one guard, the breach that follows the other",
    ruling=rulings.C5,
)
C6: Final = Rule(
    "BW-C6",
    "test-again",
    "A clearing is tested whenever the guards of its section become fewer, for whatever reason.",
    _WILDLINGS,
    obeys="24. *: dice 1 1 5 -- the giant takes a guard, and the clearing is counted again",
    ruling=rulings.C6,
)
C7: Final = Rule(
    "BW-C7",
    "no-breach-within-a-breach",
    "The guard that a breach costs does not cause a second one.",
    _BREACH,
    obeys="24. *: dice 1 1 5 -- the guard that the breach costs causes no second breach",
    ruling=rulings.C7,
)
L1: Final = Rule(
    "BW-L1",
    "lines",
    "A wildling that crosses takes the first hex without a wildling on the line of its trail's number. The line "
    "starts at the hex under the section and goes south-west for odd numbers, south-east for even ones; with four "
    "players that of 8 ends at U, for the board has nothing further east.",
    _BREACH,
    obeys="20. *: dice 1 1 2 -- A is held, so the climber takes F on the line of 2",
    ruling=rulings.L1,
)
L2: Final = Rule(
    "BW-L2",
    "number-of-a-line",
    "The number is that of the wildling die; in a rush over a trail with two numbers it is the lower.",
    _OURS,
    obeys="25. *: token ice-river regular, token ice-river regular -- the first climber takes E, on the line of 1",
    ruling=rulings.L2,
)
L3: Final = Rule(
    "BW-L3",
    "full-line",
    "When a line is full, the other line of the section follows, then the lines of the nearest sections, the western "
    "before the eastern, always from north to south.",
    _OURS,
    obeys="36. *: dice 1 1 4 -- both lines of the section are full: the climber goes west, to A",
    ruling=rulings.L3,
)
L4: Final = Rule(
    "BW-L4",
    "one-number-a-breach",
    "All wildlings that cross in one breach use the same number.",
    _OURS,
    obeys="24. *: dice 1 1 5 -- both regulars cross on the line of 5",
    ruling=rulings.L4,
)
L5: Final = Rule(
    "BW-L5",
    "odd-before-even",
    "Of a neighbouring section the odd line is filled before the even one.",
    _OURS,
    obeys="39. *: dice 1 1 4 -- the second of two takes E on the line of 1, not L on that of 2",
    ruling=rulings.L5,
)

RULES: Final = (A1, A2, A3, C1, C2, C3, C4, C5, C6, C7, L1, L2, L3, L4, L5)
