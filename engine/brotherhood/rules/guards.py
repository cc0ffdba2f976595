"""Rules of guards, of the cards that serve the Watch, and of the end (BW-G, BW-K, BW-E)."""

from typing import Final

from engine.brotherhood.rules import watch_rulings as rulings
from engine.verdict import Rule

_SETUP: Final = "Hebrew rulebook, rules of the Night's Watch: preparing the game"
_GUARD: Final = "Hebrew rulebook, rules of the Night's Watch: building a guard"
_CARDS: Final = "Hebrew rulebook, rules of the Night's Watch; card texts after public sources"
_END: Final = "Hebrew rulebook, rules of the Night's Watch: end of the game"
_OURS: Final = "The rulebook is silent"

G1: Final = Rule(
    "BW-G1",
    "no-room-on-the-wall",
    "A guard goes to the lowest free space of any of the four sections, of which each has five spaces.",
    _GUARD,
    obeys="13. red: trade 3 ore: 1 lumber, guard 2 -- the second space of the second section",
    breaks="17. red: trade 3 brick: 1 lumber, guard 1 -- five guards stand on the first section",
    ruling=rulings.G1,
)
G2: Final = Rule(
    "BW-G2",
    "no-guard-left",
    "Nobody has more than seven guards. One that is lost can be placed again.",
    _SETUP,
    obeys="33. red: trade 3 brick: 1 lumber, guard 4 -- red's seventh guard",
    breaks="37. red: trade 3 brick: 1 lumber, guard 4 -- all seven guards of red stand on the Wall",
)
G3: Final = Rule(
    "BW-G3",
    "points-of-the-watch",
    "Three or four guards on the Wall are worth one victory point, five and more two. Who loses guards loses the "
    "points.",
    _GUARD,
    obeys="17. red: trade 3 brick: 1 lumber, guard 2, end -- red's third guard is worth a point",
)
G4: Final = Rule(
    "BW-G4",
    "guard-not-paid",
    "A guard costs brick, wool and lumber.",
    _GUARD,
    obeys="13. red: trade 3 ore: 1 lumber, guard 2 -- red has paid brick, wool and lumber",
    breaks="13. red: guard 2 -- red has no wool and no lumber",
)
K1: Final = Rule(
    "BW-K1",
    "no-wildling-there",
    "A Ranger Patrol either moves Tormund or sends a wildling home from a hex of the Gift; then its player takes one "
    "resource of the kind that the hex produces.",
    _CARDS,
    obeys="21. red: ranger wildling A -- a climber held A, mountains: red gets ore",
    breaks="21. red: ranger wildling A -- no wildling holds A",
)
K2: Final = Rule(
    "BW-K2",
    "nothing-to-take",
    "A Ranger Patrol that sends a wildling home from a hex whose resource the supply lacks brings nothing.",
    _OURS,
    obeys="29. red: ranger wildling A -- no ore is left: the climber goes, red gets nothing",
    ruling=rulings.K2,
)
K3: Final = Rule(
    "BW-K3",
    "new-recruits",
    "New Recruits puts one of its player's guards on the Wall free, by the rules for guards. The two cards are in the "
    "deck of this game only.",
    _CARDS,
    obeys="21. red: recruits 3 -- a guard on the third section, free",
)
E1: Final = Rule(
    "BW-E1",
    "ten-at-the-end-of-a-turn",
    "With ten victory points or more at the end of your turn you win; before that you play the turn to its end.",
    _END,
    obeys="77. red: ygritte B, swap benjen, end -- a whole game, won with ten points at the end of a turn",
)
E2: Final = Rule(
    "BW-E2",
    "the-wall-falls",
    "The third breach, or the eighth wildling in the Gift, ends the game at once.",
    _END,
    obeys="35. *: dice 6 4 5 -- a whole game, ended by the third breach",
)
E3: Final = Rule(
    "BW-E3",
    "who-held-the-wall",
    "Then the player with most guards on the Wall wins; of several the one with most victory points, then the one with "
    "guards on lower-numbered spaces, then the one with guards further west.",
    _END,
    obeys="25. *: dice 1 1 8 -- the third breach: all have one guard, blue has most points, and wins",
)
E4: Final = Rule(
    "BW-E4",
    "tied-on-the-wall",
    "Space numbers are compared from the lowest on, then the numbers of the sections from the west on. Hidden victory "
    "points count.",
    _END,
    obeys="26. *: dice 1 1 8 -- yellow on space 1 is before blue on space 2",
    ruling=rulings.E4,
)
E5: Final = Rule(
    "BW-E5",
    "still-tied",
    "Who is still tied, with no guard at all too, is ranked by the order of turns, counted from the first player.",
    _OURS,
    obeys="22. *: dice 1 1 8 -- level in everything: blue is the first player, and wins",
    ruling=rulings.E5,
)
E6: Final = Rule(
    "BW-E6",
    "the-last-crossing",
    "The wildlings that are crossing when the game ends are placed first, and guards are counted after the losses.",
    _END,
    obeys="29. *: dice 1 1 6 -- yellow's guard fell in this breach: red wins",
    ruling=rulings.E6,
)
E7: Final = Rule(
    "BW-E7",
    "nothing-after-the-end",
    "The end stops everything after it: a second rusher, a keep's second token, a token for a special card.",
    _END,
    obeys="28. *: token ice-river regular -- the third breach: the second rusher stays where it was",
    ruling=rulings.E7,
)
E8: Final = Rule(
    "BW-E8",
    "ten-points-too-late",
    "An end by the wildlings in the turn of a player with ten points or more is still an end by the wildlings.",
    _END,
    obeys="154. *: dice 5 3 4 -- the player on turn has ten points, but another holds the Wall",
)

RULES: Final = (G1, G2, G3, G4, K1, K2, K3, E1, E2, E3, E4, E5, E6, E7, E8)
