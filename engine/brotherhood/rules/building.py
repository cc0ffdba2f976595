"""Rules of building, Longest Road and development cards (BB-B, BB-L, BB-C)."""

from typing import Final

from engine.brotherhood.rules import base_rulings as rulings
from engine.verdict import Rule

B1 = Rule(
    "BB-B1",
    "cannot-pay",
    (
        "A road costs lumber and brick; a settlement lumber, brick, wool and grain; a keep two grain and "
        "three ore; a development card wool, grain and ore."
    ),
    "Rulebook, base game, building",
    "1. red: road 18-24 -- lumber and brick for a road",
    "1. red: road 18-24, keep 12 -- neither grain nor ore for a keep",
)
B2 = Rule(
    "BB-B2",
    "no-piece-left",
    "Each player has 15 roads, 5 settlements and 4 keeps. A settlement that a keep replaces can be built again.",
    "Rulebook, base game, building",
    "19. red: settlement 1 -- the fifth settlement",
    "28. red: settlement 2 -- a sixth settlement",
)
B3 = Rule(
    "BB-B3",
    "no-free-path",
    "A road is built on a path that carries none. Paths along the outer edge count.",
    "Rulebook, base game, building",
    "13. red: road 2-6 -- a road along the outer edge",
    "1. red: road 13-19 -- blue's road lies there",
)
B4 = Rule(
    "BB-B4",
    "road-not-connected",
    (
        "A road connects to an own road, settlement or keep, and not only through an intersection where "
        "somebody else has built."
    ),
    "Rulebook, base game, building",
    "5. red: road 18-24 -- a road goes on from a road",
    "1. red: road 1-5 -- nothing of red's is near",
    ruling=rulings.B4,
)
B5 = Rule(
    "BB-B5",
    "no-free-intersection",
    "A settlement is built on an intersection where nothing stands.",
    "Rulebook, base game, building",
    "9. red: settlement 2 -- a settlement where nothing stands",
    "1. red: settlement 13 -- blue has built there",
)
B6 = Rule(
    "BB-B6",
    "too-close",
    "No settlement is built one path away from a settlement or keep, no matter whose.",
    "Rulebook, base game, building",
    "9. red: settlement 2 -- two paths from the own settlement are far enough",
    "1. red: settlement 18 -- one path from blue's settlement",
)
B7 = Rule(
    "BB-B7",
    "no-road-to-settlement",
    "A settlement is built where an own road ends.",
    "Rulebook, base game, building",
    "6. blue: settlement 14 -- a settlement at the end of an own road",
    "1. red: settlement 1 -- no road of red's ends there",
)
B8 = Rule(
    "BB-B8",
    "no-settlement-to-replace",
    "A keep takes the place of an own settlement.",
    "Rulebook, base game, building",
    "4. black: keep 11 -- a keep takes the place of a settlement",
    "1. red: keep 13 -- red has no settlement there",
)
L1 = Rule(
    "BB-L1",
    "longest-road",
    (
        "The first unbroken line of at least five own roads, not counting branches, brings Longest Road; a "
        "strictly longer one takes it. In the base game it is worth two points, in the Watch game one."
    ),
    "Rulebook, base game, longest road",
    "32. black: road 27-34 -- black's sixth road takes the card; the fifth did not",
)
L2 = Rule(
    "BB-L2",
    "longest-road-broken",
    (
        "A settlement or keep of somebody else on the line breaks it. If the holder is then no longer among "
        "the longest, a single longest player with five or more gets the card; if several are level, nobody "
        "has it."
    ),
    "Rulebook, base game, longest road",
    "31. yellow: settlement 51 -- yellow cuts red's five roads and has five: the card goes to yellow",
    ruling=rulings.L2,
)
C1 = Rule(
    "BB-C1",
    "deck-is-empty",
    "No development card can be bought when none is left; played cards do not come back.",
    "Rulebook, base game, development cards",
    "39. *: draw ranger -- the last of 23 cards is bought",
    "41. red: buy -- the deck is empty",
    ruling=rulings.C1,
)
C2 = Rule(
    "BB-C2",
    "one-card-a-turn",
    "One development card may be played in a turn.",
    "Rulebook, base game, development cards",
    "17. red: winter ore ore -- a card in this turn, another in the next",
    "13. red: winter ore grain, winter ore ore -- a second card in one turn",
)
C3 = Rule(
    "BB-C3",
    "bought-this-turn",
    "A development card is never played in the turn in which it was bought.",
    "Rulebook, base game, development cards",
    "9. red: winter ore grain -- a card is played in the turn after it was bought",
    "5. red: winter ore grain -- the card was bought in this turn",
)
C4 = Rule(
    "BB-C4",
    "no-such-card",
    "Only a development card in hand can be played.",
    "Rulebook, base game, development cards",
    "9. red: ranger tormund D blue -- a Ranger that red has",
    "1. red: ranger tormund H blue -- red has no Ranger",
)
C5 = Rule(
    "BB-C5",
    "no-wildling-here",
    (
        "A Ranger moves Tormund, as after a seven but without discards. Only in the Watch game can it drive "
        "off a wildling instead."
    ),
    "Rulebook, base game, development cards",
    "9. red: ranger tormund N blue -- a Ranger moves Tormund and robs, here before the roll",
    "9. red: ranger wildling K -- there are no wildlings in the base game",
    ruling=rulings.C5,
)
C6 = Rule(
    "BB-C6",
    "winter-supply",
    "Winter is Coming takes two cards from the supply, which must have them; they can be spent in the same turn.",
    "Rulebook, base game, development cards",
    "9. red: winter ore ore, keep 12 -- two ore from the supply, spent at once",
    "17. red: winter wool ore -- no wool is left in the supply",
    ruling=rulings.C6,
)
C7 = Rule(
    "BB-C7",
    "two-free-roads",
    (
        "Road Building places two roads free of charge, one after the other. With one piece or one place left "
        "it is one; with none the card cannot be played."
    ),
    "Rulebook, base game, development cards",
    "9. red: roads 12-17 7-12 -- two roads one after the other, and no card for them",
    "9. red: roads 18-24 -- a second road could be built",
    ruling=rulings.C7,
)
C8 = Rule(
    "BB-C8",
    "victory-point-cards",
    (
        "A victory point card counts one point and stays hidden until it completes a win. It counts from the "
        "turn in which it was bought, and is never played."
    ),
    "Rulebook, base game, development cards",
    "28. *: draw point -- five points on the board and five cards; the last wins in the turn it is bought",
    ruling=rulings.C8,
)
C9 = Rule(
    "BB-C9",
    "any-time",
    "A development card may be played before the roll or after it.",
    "Rulebook, base game, development cards",
    "9. red: winter ore grain -- any card may come before the roll",
    ruling=rulings.C9,
)
C10 = Rule(
    "BB-C10",
    "not-in-the-deck",
    "A bought card is any of those not drawn yet, each as likely as the other. Only its buyer learns which.",
    "Rulebook, base game, development cards",
    "5. *: draw ranger -- chance draws a Ranger",
    "13. *: draw roads -- both Road Building cards are gone",
)
C11 = Rule(
    "BB-C11",
    "largest-patrol",
    (
        "The first to have three Rangers face up gets Largest Patrol; a player with more takes it over. A Ranger's "
        "effect comes first. In the base game it is worth two points, in the Watch game one."
    ),
    "Rulebook, base game, development cards",
    "56. black: ranger tormund T -- black's third Ranger does not take it, the fourth does",
)

RULES: Final = (B1, B2, B3, B4, B5, B6, B7, B8, L1, L2, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11)
