"""Rules of production, the seven, and trade (BB-Y, BB-S, BB-T)."""

from typing import Final

from engine.brotherhood.rules import base_rulings as rulings
from engine.verdict import Rule

Y1 = Rule(
    "BB-Y1",
    "production",
    (
        "The sum of the dice makes every hex with this number produce: one card for a settlement at it, two "
        "for a keep. The ice field produces nothing."
    ),
    "Rulebook, base game, production",
    "6. *: dice 1 5 -- a keep brings two cards, a settlement one",
)
Y2 = Rule(
    "BB-Y2",
    "wrong-dice",
    "Production dice show 1 to 6.",
    "Rulebook, base game, production",
    "1. *: dice 6 6 -- dice show up to six",
    "1. *: dice 0 9 -- dice have six sides",
)
Y3 = Rule(
    "BB-Y3",
    "robbed-hex",
    "A hex where Tormund stands produces nothing.",
    "Rulebook, base game, special cases",
    "2. *: dice 1 5 -- nobody gets ore where Tormund stands",
)
Y4 = Rule(
    "BB-Y4",
    "short-supply",
    (
        "When the supply cannot give all that a roll brings of one resource, nobody gets any of it, unless "
        "only one player is due, who takes what is left."
    ),
    "The rulebook is silent",
    "10. *: dice 4 6 -- one wool is left and two are due: nobody gets it",
    ruling=rulings.Y4,
)
S1 = Rule(
    "BB-S1",
    "wrong-discard",
    "On a seven everybody with more than seven cards gives half of them back, rounded down, all at once.",
    "Rulebook, base game, special cases",
    "8. red: discard 2 lumber 1 grain 1 ore -- two players discard, in any order",
    "6. red: discard 1 lumber -- half of the cards, not one",
)
S2 = Rule(
    "BB-S2",
    "not-in-hand",
    "Only cards in hand can be given, paid or discarded.",
    "Rulebook, base game, trade",
    "6. black: discard 1 lumber 1 wool 1 grain 1 ore -- what is discarded was in hand",
    "6. red: discard 4 brick -- cards that red does not have",
)
S3 = Rule(
    "BB-S3",
    "tormund-must-move",
    "Tormund moves to another hex than his own.",
    "Rulebook, base game, special cases",
    "1. red: tormund A black -- Tormund leaves the ice field",
    "1. red: tormund U -- Tormund must leave the ice field",
)
S4 = Rule(
    "BB-S4",
    "wrong-victim",
    (
        "Tormund robs one player with a settlement or keep at his hex. If any of them has cards, you must "
        "name one who has; never yourself."
    ),
    "Rulebook, base game, special cases",
    "1. red: tormund T -- where nobody else has built nobody is named",
    "1. red: tormund H -- somebody with cards is robbed",
    ruling=rulings.S4,
)
S5 = Rule(
    "BB-S5",
    "not-a-card-of-the-victim",
    "The stolen card is one of the victim's, each as likely as the other. Only thief and victim learn which.",
    "Rulebook, base game, special cases",
    "5. *: steal wool -- red robs black of wool",
    "1. *: steal grain -- blue has no grain to be stolen",
)
S6 = Rule(
    "BB-S6",
    "seven-first",
    "On a seven nobody produces; first come the discards, then Tormund, then the turn goes on.",
    "Rulebook, base game, special cases",
    "6. blue: end -- first the discards, then Tormund, then the turn goes on",
    "1. red: end -- Tormund comes before the end of the turn",
)
S7 = Rule(
    "BB-S7",
    "ice-field",
    "Tormund may go to the ice field, where the base game finds him at the start.",
    "Rulebook, base game, special cases",
    "2. blue: tormund U, end -- Tormund may go to the ice field, and robs nobody there",
    ruling=rulings.S7,
)
T1 = Rule(
    "BB-T1",
    "wrong-rate",
    (
        "The supply gives one card for four of a kind; with a settlement or keep on a trade route for three, "
        "or for two of the resource of the route. Several such trades can be made at once."
    ),
    "Rulebook, base game, trade routes",
    "5. red: trade 4 wool: 1 grain -- four wool for one grain",
    "5. red: trade 3 wool: 1 grain -- three wool without a route",
)
T2 = Rule(
    "BB-T2",
    "supply-is-out",
    "The supply can give only what it has.",
    "The rulebook is silent",
    "9. red: trade 4 ore: 1 wool -- the supply gives its last wool",
    "9. red: trade 4 ore: 1 wool -- no wool is left in the supply",
    ruling=rulings.T2,
)
T3 = Rule(
    "BB-T3",
    "only-with-the-player-on-turn",
    "Trade is with the player whose turn it is; the others do not trade among themselves.",
    "Rulebook, base game, trade",
    "1. red: accept blue -- blue offers to red, whose turn it is",
    "1. blue: offer 1 ore for 1 grain to black -- blue and black do not trade in red's turn",
)
T4 = Rule(
    "BB-T4",
    "no-fair-exchange",
    (
        "Both sides of a trade between players give at least one card, and no resource goes both ways. Only "
        "resource cards are traded."
    ),
    "Rulebook, base game, trade",
    "1. black: accept red -- both sides give something",
    "1. red: offer 1 brick for 1 brick to any -- brick on both sides",
    ruling=rulings.T4,
)
T5 = Rule(
    "BB-T5",
    "no-such-offer",
    (
        "Only an offer that is open and made to oneself can be accepted or declined, and only an own one "
        "withdrawn. One offer of each player is open at a time; a new one takes its place."
    ),
    "The rulebook is silent",
    "1. black: accept red -- two could accept; the first does",
    "1. blue: accept red -- red has no offer open",
    ruling=rulings.T5,
)
T6 = Rule(
    "BB-T6",
    "offer-not-met",
    (
        "An offer is made with cards in hand. If its maker no longer has them when it is accepted, nothing is "
        "exchanged, and the offer is gone."
    ),
    "The rulebook is silent",
    "1. yellow: accept red -- red spends the lumber that was offered: nothing is exchanged",
    ruling=rulings.T6,
)
T7 = Rule(
    "BB-T7",
    "standing-offer",
    (
        "An offer stands until it is accepted, declined by all, or withdrawn, or until trading ends. It never "
        "keeps the player on turn from going on. A counter-offer declines the offer that it answers; silence "
        "declines too."
    ),
    "The rulebook is silent",
    "1. red: accept yellow -- yellow declines with an offer of their own",
    ruling=rulings.T7,
)
T8 = Rule(
    "BB-T8",
    "new-route",
    "A trade route serves from the moment a settlement stands on it.",
    "Rulebook, base game, trade routes",
    "13. red: settlement 52, trade 2 wool: 1 ore -- with free phases a new route serves in the same turn",
    ruling=rulings.T8,
)

RULES: Final = (Y1, Y2, Y3, Y4, S1, S2, S3, S4, S5, S6, S7, T1, T2, T3, T4, T5, T6, T7, T8)
