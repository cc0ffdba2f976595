"""The rules of Through the Desert, in our words, in the order of play.

Each is named for what is wrong when it is broken, or for what it is about when no move can break it. The
places are chapters of the Polish and the Russian rulebook; the Hebrew one agrees with both. Where they leave room,
`rulings` says what we decided.
"""

from typing import Final

from engine.through_the_desert import rulings
from engine.verdict import Rule

_BOX: Final = "Polish rulebook, Elementy; Russian, Комплект игры"
_SETUP: Final = "Polish rulebook, Przygotowanie do gry; Russian, Подготовка к игре"
_LEADERS: Final = "Polish rulebook, Ustawianie przewodników karawan; Russian, Выставление лидеров караванов"
_CAMELS: Final = "Polish rulebook, Ustawianie wielbłądów; Russian, Размещение верблюдов"
_WATER: Final = "Polish rulebook, Zajmowanie źródeł; Russian, Занятие родников"
_OASES: Final = "Polish rulebook, Docieranie do oaz; Russian, Соединение оазисов"
_AREAS: Final = "Polish rulebook, Otaczanie obszarów; Russian, Отграничивание территории"
_END: Final = "Polish rulebook, Koniec gry i podliczanie punktów; Russian, Окончание игры и подсчет очков"
_TOKENS: Final = "Polish rulebook, Jeśli skończą się żetony; Russian, Истощение запаса жетонов очков"

P1: Final = Rule(
    "TD-P1",
    "not-your-turn",
    "Two to five play, each with another rider colour. The first seat starts and play goes round in seat order. At the "
    "table the youngest starts; by mail the order is set with the game.",
    _SETUP,
    obeys="1. red: leader lilac E4 -- red sits first and opens the game",
    breaks="1. blue: leader lilac E4 -- red sits first",
)
P2: Final = Rule(
    "TD-P2",
    "leader-not-removable",
    "Everyone holds one leader of each of the five camel colours. With five players each first takes one of these "
    "leaders out of the game, in seat order, of a colour that nobody took out before, and plays with four.",
    _SETUP,
    obeys="2. blue: remove mint -- red took out lilac, so mint is open",
    breaks="2. blue: remove lilac -- red has already taken out lilac",
)
P3: Final = Rule(
    "TD-P3",
    "wrong-herds",
    "A herd is what is left of a colour's 34 camels once every player has a leader of it; with two players ten more "
    "and with three players five more are taken away. That makes 22, 26, 30 and 29 camels for two, three, four and "
    "five players. With five players a removed leader's camel does not go back to its herd; a table that reads it "
    'otherwise says [Herds "30"].',
    _SETUP,
    obeys='[Herds "30"] -- five players who count the removed leaders\' camels to their herds',
    breaks='[Herds "30"] -- three players have herds of 26',
    ruling=rulings.P3,
)
P4: Final = Rule(
    "TD-P4",
    "wrong-oases",
    "The five oases stand on five different palm spaces in play: of seven with four or five players, of six with "
    "two or three.",
    _SETUP,
    obeys='[Oases "B8 D3 H11 M7 Q3"] -- five palm spaces of the core',
    breaks='[Oases "B8 D3 H11 M7 T9"] -- T9 lies in the east part, out of play with two players',
)
P5: Final = Rule(
    "TD-P5",
    "wrong-waterholes",
    "The 45 waterholes, fifteen each of value 1, 2 and 3, are shuffled and laid face up: one on every dot in play "
    "and one on every palm space in play without an oasis. With two or three players the surplus stays out.",
    _SETUP,
    obeys='[Water "A6=2 B4=1 …"] -- every dot has its waterhole',
    breaks='[Water "A6=4 B4=1 …"] -- no waterhole is worth 4',
)
P6: Final = Rule(
    "TD-P6",
    "wrong-board",
    "The map is called standard. Its core is that of the printed board; its east part, which is out of play with two "
    "or three players, is our own design. The header Board names the map, and may be left out.",
    _BOX,
    obeys='[Board "standard"] -- the map that we have',
    breaks='[Board "moon"] -- no such map is known',
    ruling=rulings.P6,
)
L1: Final = Rule(
    "TD-L1",
    "leader-out-of-hand",
    "Players place one leader each in turn, until all leaders stand; only then do camels follow.",
    _LEADERS,
    obeys="3. red: leader mint O4 -- red has the mint leader still in hand",
    breaks="3. red: leader lilac O4 -- red's lilac leader stands already",
)
L2: Final = Rule(
    "TD-L2",
    "no-room-for-a-leader",
    "A leader stands on an empty space in play: not on a waterhole, an oasis or another leader.",
    _LEADERS,
    obeys="1. red: leader lilac E5 -- E5 is plain sand",
    breaks="1. red: leader lilac A6 -- a waterhole lies there",
)
L3: Final = Rule(
    "TD-L3",
    "leader-beside-oasis",
    "A leader may not stand next to an oasis.",
    _LEADERS,
    obeys="1. red: leader lilac B6 -- one space lies between B6 and the oasis at B8",
    breaks="1. red: leader lilac B7 -- the oasis at B8 is next to it",
)
L4: Final = Rule(
    "TD-L4",
    "leader-beside-leader",
    "A leader may not stand next to another leader, the player's own included.",
    _LEADERS,
    obeys="2. blue: leader mint E2 -- one space lies between E2 and red's leader at E4",
    breaks="2. blue: leader mint E5 -- red's leader stands at E4",
)
L5: Final = Rule(
    "TD-L5",
    "colour-used-in-first-round",
    "In the first round of leaders nobody may use a camel colour that was used in that round. With five players a "
    "choice that would leave a later player no colour still in hand is refused too.",
    _LEADERS,
    obeys="2. blue: leader mint K9 -- red opened with lilac",
    breaks="2. blue: leader lilac K9 -- red opened with lilac",
    ruling=rulings.L5,
)
T1: Final = Rule(
    "TD-T1",
    "too-many-camels",
    "A turn is two camels from the herds, of one colour or of two, placed one after the other; the second is judged "
    "on the board as the first left it.",
    _CAMELS,
    obeys="13. red: lilac D5, salmon O5 -- two camels",
    breaks="12. blue: mint K8 K9 K10 -- a third camel",
)
T2: Final = Rule(
    "TD-T2",
    "too-many-first-camels",
    "In the first round of camels the first two players place one camel only; with two players only the first does.",
    _CAMELS,
    obeys="11. red: lilac E5 -- the first turn of a game for two has one camel",
    breaks="11. red: lilac E5 D5 -- the first turn has one camel",
)
T3: Final = Rule(
    "TD-T3",
    "turn-cut-short",
    "You place as many of your turn's camels as the rules let you. A turn is short, or empty (pass), only when no "
    "legal place exists for the next camel. When nobody can place, the game ends.",
    _CAMELS,
    obeys="12. blue: pass -- blue has no legal place for any camel",
    breaks="12. blue: pass -- blue could place a mint camel at K8",
    ruling=rulings.T3,
)
C1: Final = Rule(
    "TD-C1",
    "no-room-for-a-camel",
    "A camel goes on an empty space or on a waterhole: never on an oasis, a camel or a mountain, nor out of play.",
    _CAMELS,
    obeys="11. red: lilac E5 -- E5 is empty",
    breaks="11. red: lilac E4 -- red's own leader stands there",
)
C2: Final = Rule(
    "TD-C2",
    "camel-without-caravan",
    "A camel must touch a camel of its colour that belongs to the player: it lengthens that caravan, so a player has "
    "at most one caravan of each colour.",
    _CAMELS,
    obeys="13. red: lilac D5 C6 -- D5 touches red's lilac camel at E5, and C6 the one at D5",
    breaks="11. red: lilac O4 -- no lilac camel of red's is near",
)
C3: Final = Rule(
    "TD-C3",
    "camel-beside-rival",
    "A camel may not touch a camel of its colour that belongs to another player.",
    _CAMELS,
    obeys="12. blue: mint K6 K5 -- away from red's mint camel at K9",
    breaks="12. blue: mint K8 -- red's mint camel stands at K9",
)
C4: Final = Rule(
    "TD-C4",
    "other-colours-may-touch",
    "A camel may touch camels of other colours, no matter whose.",
    _CAMELS,
    obeys="11. red: lilac K8 -- blue's mint leader beside it, at K7, does not matter",
)
C5: Final = Rule(
    "TD-C5",
    "camel-in-enclosed-area",
    "No camel is ever placed inside an enclosed area, by anyone.",
    _AREAS,
    obeys="15. red: lilac C3 D2 -- both lie outside the area",
    breaks="15. red: lilac A3 -- red enclosed A3 in turn 13",
)
C6: Final = Rule(
    "TD-C6",
    "empty-herd",
    "A camel can be taken only from a herd that has one.",
    _CAMELS,
    obeys="22. blue: lilac D10, green B7 -- the last lilac camel, then one from another herd",
    breaks="22. blue: lilac D10 C10 -- D10 took the last lilac camel",
)
W1: Final = Rule(
    "TD-W1",
    "waterhole-taken",
    "A camel placed on a waterhole takes its token, worth 1, 2 or 3 points.",
    _WATER,
    obeys="11. red: lilac E6 -- the waterhole at E6 goes to red",
)
O1: Final = Rule(
    "TD-O1",
    "oasis-reached",
    "A caravan that comes to stand next to an oasis earns 5 points, once for each oasis and caravan. A caravan may "
    "earn several oases, and several caravans the same one.",
    _OASES,
    obeys="11. red: lilac M6 -- red's lilac caravan reaches the oasis at M7",
)
E1: Final = Rule(
    "TD-E1",
    "area-enclosed",
    "A caravan encloses an area when its camels, with the board's edge and the mountains in the middle or without "
    "them, cut one or more spaces off from the rest of the board. With two or three players the white line that shuts "
    "off the east part counts as the board's edge.",
    _AREAS,
    obeys="11. red: lilac I7 -- I7, the leader at H6 and the mountains cut off H7",
    ruling=rulings.E1,
)
E2: Final = Rule(
    "TD-E2",
    "one-caravan-alone",
    "One caravan, so one colour, must do it alone: caravans do not combine, not even the same player's.",
    _AREAS,
    obeys="11. red: mint I7 -- the other side of H7 is shut by red's lilac leader, so nothing is enclosed",
)
E3: Final = Rule(
    "TD-E3",
    "no-camel-inside",
    "The area must hold no camel and no leader of anyone.",
    _AREAS,
    obeys="13. red: mint B2, lilac I7 -- lilac shuts H7, but blue's leader stands there, so nothing is enclosed",
)
E4: Final = Rule(
    "TD-E4",
    "area-taken",
    "At once the owner takes all waterholes inside, and 5 points for each oasis inside that this caravan had not "
    "earned yet. The area leaves the game.",
    _AREAS,
    obeys="13. red: lilac B6 A7 -- A6 is cut off, and its waterhole goes to red",
)
S1: Final = Rule(
    "TD-S1",
    "game-over",
    "The game ends with the turn in which the last camel of a colour was taken; a player who takes it with the first "
    "camel still places the second, from another herd.",
    _END,
    obeys="22. blue: lilac D10, green B7 -- the last lilac camel, and the turn is played out",
    breaks="23. red: mint C8 -- turn 22 was the last",
    ruling=rulings.S1,
)
S2: Final = Rule(
    "TD-S2",
    "longest-caravans",
    "For each colour the player whose caravan has most camels scores 10. If several have most, each of them scores "
    "5. The leader's camel counts, and a leader standing alone is a caravan of one.",
    _END,
    obeys="red: mint caravan 5, salmon caravan 10 -- both mint leaders stand alone; of salmon camels red has more",
    ruling=rulings.S2,
)
S3: Final = Rule(
    "TD-S3",
    "areas-counted",
    "Each space inside an enclosed area scores 1, oases excepted.",
    _END,
    obeys="red: lilac area 2 -- A8 and A9; the oasis at B8 lies inside, too, and counts nothing",
)
S4: Final = Rule(
    "TD-S4",
    "tokens-counted",
    "Waterhole tokens score their value, oasis tokens 5.",
    _END,
    obeys="red: water 3, oases 10 -- a waterhole of value 3 and two oasis tokens",
)
S5: Final = Rule(
    "TD-S5",
    "most-points-win",
    "Most points win; players with equally many share the win.",
    _END,
    obeys='[Result "red 52 won, blue 52 won"] -- they have equally many points',
)
S6: Final = Rule(
    "TD-S6",
    "tokens-never-run-out",
    "Running out of tokens never stops anyone from scoring.",
    _TOKENS,
    obeys="33. red: mint L5 M6 -- M6 reaches an oasis: the twenty-first token, and 5 points all the same",
)

RULES: Final = (
    *(P1, P2, P3, P4, P5, P6),
    *(L1, L2, L3, L4, L5),
    *(T1, T2, T3),
    *(C1, C2, C3, C4, C5, C6),
    *(W1, O1, E1, E2, E3, E4),
    *(S1, S2, S3, S4, S5, S6),
)
