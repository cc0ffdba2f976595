"""Rules of the set-up, the order of turns, and the end (BB-P, BB-O, BB-E)."""

from typing import Final

from engine.brotherhood.rules import base_rulings as rulings
from engine.verdict import Rule

P1 = Rule(
    "BB-P1",
    "wrong-table",
    "Three or four play, each with a colour of their own: red, blue, yellow or black.",
    "Rulebook, components",
    '[Seat.yellow "Yara"] -- three can play',
    '[Seat.blue "Boris"] -- two players are too few',
)
P2 = Rule(
    "BB-P2",
    "wrong-land",
    (
        "The board has 21 hexes in rows of 4, 5, 6 and 6, each row starting half a hex further west. The "
        "beginner board is laid as its picture wants; as that was not to be had, ours keeps every clue of the "
        "text."
    ),
    "Rulebook, base game, board for beginners",
    '[Board "beginner"] -- the beginner board',
    '[Land "… pasture11 forest3 mountains8 …"] -- a land that the box does not have so often',
    ruling=rulings.P2,
)
P3 = Rule(
    "BB-P3",
    "wrong-routes",
    (
        "Five 2:1 routes lie in the south, from west to east for grain, brick, lumber, wool and ore, shuffled "
        "on a variable board; four 3:1 routes lie in the west, the east and twice in the north."
    ),
    "Rulebook, base game, trade routes",
    '[Routes "lumber ore wool grain brick"] -- on a variable board the routes are shuffled',
    '[Routes "grain brick wool wool ore"] -- the wool route lies twice',
    ruling=rulings.P3,
)
P4 = Rule(
    "BB-P4",
    "set-up-first",
    (
        "Without the beginner start everybody places a settlement and a road, from the first player on; then "
        "again in reverse order."
    ),
    "Rules reference, set-up",
    "6. red: settlement 46, road 38-46 -- the second settlements go in reverse order",
    "1. red: settlement 11, roll -- nobody rolls before all have placed",
)
P5 = Rule(
    "BB-P5",
    "road-away-from-settlement",
    "In set-up a road starts at the settlement just placed.",
    "The rulebook is silent",
    "1. red: settlement 11, road 11-17 -- a first road at its settlement",
    "1. red: settlement 11, road 30-37 -- the first road starts elsewhere",
    ruling=rulings.P5,
)
P6 = Rule(
    "BB-P6",
    "wrong-start",
    (
        "At the beginner start each colour's two settlements and roads have their places, of which the "
        "rulebook's picture was not to be had. With three players red's places stay empty; a red player takes "
        "those of the colour that is missing. On a variable board pieces are placed freely."
    ),
    "Rulebook, base game, setting up",
    '[Start "beginner"] -- three begin; red takes the places of black, who is missing',
    '[Start "beginner"] -- the beginner start needs the beginner board',
    ruling=rulings.P6,
)
P7 = Rule(
    "BB-P7",
    "wrong-numbers",
    (
        "On a variable base board the 20 lands and the ice field are shuffled; the numbers keep their order, "
        "row by row, and skip the ice field. No 6 or 8 touches another."
    ),
    "Rulebook, base game, note on variable boards",
    '[Board "variable"] -- the numbers skip the ice field',
    '[Land "ice mountains5 forest6 fields5 pasture8 …"] -- an 8 beside a 6',
    ruling=rulings.P7,
)
P8 = Rule(
    "BB-P8",
    "wrong-first-player",
    "The oldest player begins; a table that does not say who that is draws one.",
    "Rulebook, base game, turn overview",
    '[First "blue"] -- blue is the oldest',
    '[First "green"] -- nobody called green sits here',
    ruling=rulings.P8,
)
P9 = Rule(
    "BB-P9",
    "first-cards",
    "Everybody begins with one card for each hex at the second, or starred, settlement.",
    "Rulebook, base game, preparing the players",
    "4. yellow: settlement 47, road 40-47 -- the second settlement brings a card for each of its hexes",
)
O1 = Rule(
    "BB-O1",
    "dice-first",
    (
        "A turn begins with the roll for production. Before it only a development card may be played, and in the "
        "Watch game Benjen, Ygritte or Qhorin be used."
    ),
    "Rulebook, base game, the turn",
    "1. red: road 18-24, end -- the dice, then a road",
    "1. red: trade 4 wool: 1 ore -- trade before the roll",
)
O2 = Rule(
    "BB-O2",
    "trading-is-over",
    (
        "A turn is rolling, then trading, then building; building or buying ends trading. Road Building and "
        "New Recruits do not."
    ),
    "Rulebook, base game, the turn",
    "5. red: trade 4 wool: 1 grain, road 18-24, end -- trade, then a road",
    "1. red: road 18-24, trade 4 wool: 1 ore -- trade after building",
    ruling=rulings.O2,
)
O3 = Rule(
    "BB-O3",
    "wrong-phases",
    "A table may agree beforehand that trading and building alternate as one likes.",
    "The rulebook is silent",
    '[Phases "free"] -- with free phases a road may come first',
    '[Phases "loose"] -- phases are strict or free',
    ruling=rulings.O3,
)
O4 = Rule(
    "BB-O4",
    "not-your-turn",
    "Everybody acts in their own turn; others only answer what concerns them.",
    "Rulebook, base game, the turn",
    "4. black: end -- everybody has a turn",
    "1. blue: roll -- blue rolls in red's turn",
)
O5 = Rule(
    "BB-O5",
    "chance-first",
    "Dice and draws are settled before anybody goes on, and only when they are due.",
    "Rulebook, base game, the turn",
    "1. *: dice 3 6 -- the dice lie before red goes on",
    "1. red: roll, end -- red goes on before the dice lie",
)
O6 = Rule(
    "BB-O6",
    "not-in-this-game",
    "The base game is played without the Wall, wildlings, guards, heroes and New Recruits.",
    "Rulebook, base game, set-up",
    "5. red: keep 12 -- keeps belong to both games",
    "1. red: guard 2 -- there is no Wall in the base game",
)
O7 = Rule(
    "BB-O7",
    "hidden-value",
    "What a copy of a record hides cannot be played from that copy.",
    "The rulebook is silent",
    "1. *: steal ore -- the whole record tells which card was stolen",
    "1. *: steal hidden -- a copy that hides the stolen card",
    ruling=rulings.O7,
)
E1 = Rule(
    "BB-E1",
    "ten-points",
    (
        "With ten points at any moment of your own turn you win at once; ten points that you reach in another's turn "
        "count when your own comes."
    ),
    "Rulebook, base game, end of the game; errata 1.1",
    "37. red: road 1-6 -- the Longest Road brings the tenth point: the turn does not go on",
)
E2 = Rule(
    "BB-E2",
    "game-over",
    "When the game is over nothing is played any more.",
    "Rulebook, base game, end of the game",
    "37. red: ranger tormund T -- the third Ranger wins before the dice are rolled",
    "38. red: end -- nothing is played after the end",
)
V1 = Rule(
    "BB-V1",
    "buildings",
    "A settlement is worth one point, a keep two.",
    "Rulebook, base game, building",
    "17. red: settlement 2 -- settlements count one, keeps two",
)

RULES: Final = (P1, P2, P3, P4, P5, P6, P7, P8, P9, O1, O2, O3, O4, O5, O6, O7, E1, E2, V1)
