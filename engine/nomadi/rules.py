"""The rules of Nomadi, in our words, in the order of play.

Each is named for what is wrong when it is broken, or for what it is about when no move can break it. The places are
chapters of the Dutch rulebook. Where it leaves room, or its board is not described, `rulings` says what we decided.
"""

from typing import Final

from engine.nomadi import rulings
from engine.verdict import Rule

_SETUP: Final = "Dutch rulebook, Het vertrek"
_PLAY: Final = "Dutch rulebook, Verloop van het spel"
_START: Final = "Dutch rulebook, Woestijnstorm"
_CARDS: Final = "Dutch rulebook, Woestijnkaarten"
_WATER: Final = "Dutch rulebook, In heinde en ver geen water"
_RAVINE: Final = "Dutch rulebook, De ravijn"
_GOAL: Final = "Dutch rulebook, Speleinde: Een Fata Morgana"
_SCORE: Final = "Dutch rulebook, Heeft de verre reis wat opgebracht?"
_TIPS: Final = "Dutch rulebook, Woestijnkoorts"
_SILENT: Final = "The rulebook is silent"

P1: Final = Rule(
    "NO-P1",
    "not-your-turn",
    "Two to five play, each with another colour. The first seat starts and play goes round in seat order. At the table "
    "the player who explained the game starts; by mail the order is set with the game.",
    _SETUP,
    obeys="1. blue: place P19 -- blue sits first and opens the game",
    breaks="1. yellow: place P19 -- blue sits first",
)
P2: Final = Rule(
    "NO-P2",
    "too-few-stones",
    "Everyone plays with 8, 5, 4 or 3 stones when 2, 3, 4 or 5 play; the others stay in the box. There are 8 blue, 8 "
    "yellow, 5 red, 4 green and 3 black ones, so not every colour can play in a small company.",
    _SETUP,
    obeys='[Seat.red "Carla"] -- three play, with five stones each, and there are five red ones',
    breaks='[Seat.red "Carla"] -- two play, with eight stones each, and there are five red ones',
)
P3: Final = Rule(
    "NO-P3",
    "wrong-cards",
    "The 18 desert cards lie face down: one on each of the 12 waterholes, the other six on six different squares of "
    "plain desert, not in the start zone, the goal or under the oasis. By mail the six are drawn.",
    _SETUP,
    obeys='[Cards "B9 E4 F6 G17 J12 N3"] -- six plain squares',
    breaks='[Cards "B9 E4 F6 G17 I11 N3"] -- I11 is a waterhole, and has its card already',
    ruling=rulings.P3,
)
P4: Final = Rule(
    "NO-P4",
    "wrong-board",
    "The board has 16 columns, A to P, and 19 rows. The start zone is M16 to P19, the goal A1 to D4; waterholes are "
    "C7 F3 H9 I5 K2 N7 and C13 F18 H15 I11 K17 N13. The ravine is a line between rows 9 and 10: squares touch across "
    "it, stones jump across it, and the rows above it are the far side.",
    _SETUP,
    obeys="1. blue: place M16 -- a corner of the start zone",
    breaks="1. blue: place Q16 -- the last column is P",
    ruling=rulings.P4,
)
P5: Final = Rule(
    "NO-P5",
    "not-set-up-there",
    "First everybody sets one stone in turn on any free square of the start zone, until all stones stand.",
    _PLAY,
    obeys="2. yellow: place O19 -- a free square beside blue's stone",
    breaks="2. yellow: place P19 -- blue's stone stands there",
)
P6: Final = Rule(
    "NO-P6",
    "five-coins-each",
    "Everybody has 5 coins at the start. The bank pays and lends without limit.",
    _SETUP,
    obeys="1. blue: place M16 -- nothing has been earned or paid yet: blue has 5 coins",
)
D1: Final = Rule(
    "NO-D1",
    "wrong-throw",
    "On your turn you throw all six dice, once. By mail we throw them when your turn begins.",
    _PLAY,
    obeys="17. *: dice 1 2 3 4 5 6 -- six dice",
    breaks="17. *: dice 1 2 3 4 5 -- one die is missing",
)
D2: Final = Rule(
    "NO-D2",
    "no-such-die",
    "Each value thrown is used once, in any order, for one move each. One stone may move several times.",
    _PLAY,
    obeys="17. blue: 1 M16-L17, 1 M18-L18 -- two dice show a 1",
    breaks="17. blue: 1 M16-L17, 1 M18-L18 -- only one die shows a 1",
)
D3: Final = Rule(
    "NO-D3",
    "dice-left",
    "Dice are played as far as possible: a turn ends when all are played or when none of those left can be. An order "
    "that makes dice useless is allowed.",
    _PLAY,
    obeys="17. blue: 5 P18-L19, 1 M16-N15, 2 O16-M16, end -- the dice left are 6, 6 and 4, and none can be played",
    breaks="17. blue: end -- a 1 can still be played",
)
D4: Final = Rule(
    "NO-D4",
    "unplayed-dice-cost",
    "Each die that cannot be played costs 1 coin, to the bank.",
    _PLAY,
    obeys="17. blue: 5 P18-L19, 1 O16-N15, end -- four dice are left, and blue pays 4 coins",
)
D5: Final = Rule(
    "NO-D5",
    "dead-throw",
    "If the throw allows no move at all, all six dice are thrown again, as often as it takes and without a fee. After "
    "a throw that can be played nobody throws again.",
    _PLAY,
    obeys="18. *: dice 4 4 4 4 4 4, dice 1 2 3 4 5 6 -- the first throw allows no move",
    ruling=rulings.D5,
)
D6: Final = Rule(
    "NO-D6",
    "debts",
    "Without coins you owe the bank, without interest; debts are taken off at the end.",
    _PLAY,
    obeys="blue: coins -1 -- blue had five coins, and six dice could not be played in two turns",
)
M1: Final = Rule(
    "NO-M1",
    "no-stone-there",
    "A die moves any stone, of whatever player.",
    _PLAY,
    obeys="17. blue: 1 M16-L17 -- a stone of yellow's",
    breaks="17. blue: 1 L16-L15 -- nothing stands at L16",
)
M2: Final = Rule(
    "NO-M2",
    "caravan-torn",
    "After every single move all stones hang together by sides of squares, those in the start zone and in the goal "
    "too; corners do not join. It counts where the stone lands, not how it came there.",
    _PLAY,
    obeys="17. blue: 1 M17-L16 -- L16 touches the stone at M16 with a side",
    breaks="17. blue: 1 M16-L15 -- L15 touches stones with a corner only",
)
M3: Final = Rule(
    "NO-M3",
    "shut-in",
    "Only a stone with a free side may move: one of its four neighbours is an empty square, or the edge of the board.",
    _PLAY,
    obeys="17. blue: 2 P17-P15 -- its free side is the edge of the board",
    breaks="17. blue: 5 N17-L14 -- stones stand on all four sides of N17",
)
M4: Final = Rule(
    "NO-M4",
    "not-one-square",
    "A 1 moves a stone one square in any of the eight directions.",
    _PLAY,
    obeys="17. blue: 1 M17-L18 -- diagonally",
    breaks="17. blue: 1 M17-K17 -- that is two squares",
)
M5: Final = Rule(
    "NO-M5",
    "no-straight-jump",
    "A 2, 3 or 4 jumps in a straight line, not diagonally, over exactly one, two or three stones that stand side by "
    "side, onto the square behind them: so it always leads 2, 3 or 4 squares far.",
    _PLAY,
    obeys="17. blue: 3 O16-L16 -- over N16 and M16",
    breaks="17. blue: 3 P16-L16 -- that is four squares",
)
M6: Final = Rule(
    "NO-M6",
    "no-such-bend",
    "A 5 or 6 jumps in the same way over exactly four or five stones, and may bend once by a right angle on any of "
    "the squares jumped over, the last one included. Where two ways lead to one square either will do; a way that is "
    "named must itself be legal.",
    _PLAY,
    obeys="17. blue: 5 P16-P17-L17 -- down, then left",
    breaks="17. blue: 5 P16-L18 -- that is six squares, whichever way",
    ruling=rulings.M6,
)
M7: Final = Rule(
    "NO-M7",
    "no-room",
    "A stone lands on an empty square of the board; two never share one.",
    _SILENT,
    obeys="17. blue: 2 N16-L16 -- L16 is empty",
    breaks="17. blue: 2 O16-M16 -- a stone stands there",
    ruling=rulings.M7,
)
M8: Final = Rule(
    "NO-M8",
    "gap",
    "Jumps lead over stones only, never over an empty square between them.",
    _PLAY,
    obeys="17. blue: 2 N19-L19 -- over M19",
    breaks="17. blue: 3 N16-K16 -- L16 is empty",
)
M9: Final = Rule(
    "NO-M9",
    "there-and-back",
    "Two dice of the same value may not move one stone there and back: no stone uses a die to land on a square that "
    "it left in this turn with a die of the same value, however many moves lie between. Dice of other values may "
    "bring it back.",
    _PLAY,
    obeys="17. blue: 1 M16-L17, 1 L17-L18 -- on, not back",
    breaks="17. blue: 1 M16-N15, 1 N15-O15, 1 O15-N15 -- back to N15 with another 1",
    ruling=rulings.M9,
)
Z1: Final = Rule(
    "NO-Z1",
    "back-to-the-start",
    "A stone that has left the start zone may not land in it again; it may jump across. Stones that never left move "
    "freely inside.",
    _START,
    obeys="17. blue: 1 M17-L16, 5 L16-P16-P15 -- across the start zone",
    breaks="17. blue: 1 N16-M15, 1 M15-N16 -- the stone had left",
)
Z2: Final = Rule(
    "NO-Z2",
    "last-to-leave",
    "When the last stone leaves the start zone its owner gets 5 coins, no matter who moved it. If the game ends "
    "before, nobody gets them.",
    _START,
    obeys="21. blue: 6 M19-H18 -- the last stone is yellow's, and yellow gets 5 coins",
)
C1: Final = Rule(
    "NO-C1",
    "only-landing-counts",
    "A stone that lands exactly on a square with a desert card finds it. Nothing else does: jumps lead over stones, "
    "and where a stone stands the card is gone.",
    _CARDS,
    obeys="17. blue: 1 N16-O15, 5 O19-O14, 5 N17-O13 -- O13 is beside the card at N13, which stays where it is",
)
C2: Final = Rule(
    "NO-C2",
    "card-not-there",
    "If you moved the stone, you look at the card, and nobody else does; if the stone is yours, you keep it. There are "
    "four cards each of +1, +2 and +3, three each of -1 and -2. By mail a card has no value before it is looked at; "
    "then chance draws one of those left.",
    _CARDS,
    obeys="17. *: card N13 +3 -- a stone has just landed there",
    breaks="17. *: card N13 +4 -- there is no such card",
)
C3: Final = Rule(
    "NO-C3",
    "offer-due",
    "If the stone is somebody else's, the card is offered to its owner before the next die is played. Words may go "
    "with it, praise and lies alike; they are told to all, and nobody checks them. No price belongs to an offer.",
    _CARDS,
    obeys="17. blue: offer -- yellow's stone landed on the card",
    breaks="17. blue: 1 M19-M18 -- the card must be offered first",
    ruling=rulings.C3,
)
C4: Final = Rule(
    "NO-C4",
    "no-such-offer",
    "The stone's owner decides without having seen the card: the owner takes it, or the player who offered it keeps "
    "it.",
    _CARDS,
    obeys="17. yellow: take N13 -- the card was offered to yellow",
    breaks="17. yellow: leave N13, take N13 -- once declined the card is blue's",
)
C5: Final = Rule(
    "NO-C5",
    "answers-take-their-time",
    "An offer can be answered from the moment it is made, also before the next throw, and play goes on meanwhile. By "
    "mail an offer that is not answered in time counts as declined. Offers still open when the third stone is home "
    "are answered before the score is final.",
    _CARDS,
    obeys="18. yellow: leave N13 -- yellow answers in a later turn",
    ruling=rulings.C5,
)
C6: Final = Rule(
    "NO-C6",
    "cards-stay-hidden",
    "Cards stay hidden until the end and count for the player who holds them then.",
    _CARDS,
    obeys="blue: cards 3 -- a card of +3, which nobody else saw before the end",
)
C7: Final = Rule(
    "NO-C7",
    "coin-for-a-card",
    "If you move a stone onto a card, you get 1 coin at once, no matter who owns the stone and what is answered; 2 "
    "instead if the card lay on a waterhole.",
    _WATER,
    obeys="17. blue: …, 5 N18-N13 -- a waterhole, and blue gets 2 coins",
)
R1: Final = Rule(
    "NO-R1",
    "first-over-the-ravine",
    "If you move the first stone over the ravine, you get 5 coins, no matter who owns it.",
    _RAVINE,
    obeys="18. yellow: …, 6 O15-O9 -- the first stone on the far side, and yellow gets 5 coins",
)
R2: Final = Rule(
    "NO-R2",
    "back-over-the-ravine",
    "No stone goes back over the ravine.",
    _RAVINE,
    obeys="18. yellow: …, 1 P8-O9 -- on the far side all the way",
    breaks="18. yellow: …, 1 O9-N10 -- the stone was on the far side",
)
R3: Final = Rule(
    "NO-R3",
    "last-over-the-ravine",
    "If you move the last stone over the ravine, you pay 5 coins, no matter who owns it; if the same move brings the "
    "third stone home, these are paid first. If the game ends before, nobody pays.",
    _RAVINE,
    obeys="23. blue: …, 5 O10-L8 -- the last stone, and blue pays 5 coins",
    ruling=rulings.R3,
)
G1: Final = Rule(
    "NO-G1",
    "stones-come-home",
    "The first, second and third stone to land in the goal bring 8, 6 and 4 coins: half to the player who moved it and "
    "half to its owner, all of it if they are the same.",
    _GOAL,
    obeys="19. blue: 1 M8-L9 -- the first stone home is yellow's: 4 coins each",
)
G2: Final = Rule(
    "NO-G2",
    "home-for-good",
    "A stone in the goal never moves again. It still holds the caravan together and may be jumped over.",
    _GOAL,
    obeys="19. blue: …, 2 L10-L8 -- over the stone at L9, which is home",
    breaks="19. blue: …, 1 L9-L8 -- the stone at L9 is home",
)
G3: Final = Rule(
    "NO-G3",
    "game-over",
    "The third stone in the goal ends the game at once; dice left over cost nothing.",
    _GOAL,
    obeys="20. yellow: …, 1 M9-L8 -- the third stone; a 1 is left, and costs nothing",
    breaks="21. blue: 1 M16-L16 -- three stones are home",
    ruling=rulings.G3,
)
S1: Final = Rule(
    "NO-S1",
    "coins-and-cards-count",
    "Points are coins and the values of your cards; cards below zero are deducted.",
    _SCORE,
    obeys="yellow: coins 16 -- and a card of -2 is deducted: fourteen points",
)
S2: Final = Rule(
    "NO-S2",
    "most-points-win",
    "Most points win; players with equally many share the win.",
    _SCORE,
    obeys='[Result "blue 17 won, yellow 17 won"] -- they have equally many points',
    ruling=rulings.S2,
)
V1: Final = Rule(
    "NO-V1",
    "wrong-oasis",
    'Variant: by common consent the movable oasis, four by four squares, is the goal. [Oasis "I6"] names its top left '
    "square. It is laid before the cards, beyond the ravine, on plain desert only, which leaves 17 places; "
    "the printed goal is then plain desert, but takes no cards.",
    _TIPS,
    obeys='[Oasis "I6"] -- sixteen plain squares beyond the ravine',
    breaks='[Oasis "M6"] -- the waterhole at N7 would be under it',
    ruling=rulings.V1,
)
V2: Final = Rule(
    "NO-V2",
    "no-such-deal",
    'Variant: with [Deals "yes"] players may give each other coins for favours, in any turn, from the end of the '
    "set-up until the third stone is home; from coins that they have, not on credit.",
    _TIPS,
    obeys="17. yellow: give blue 3 -- the table allows deals, and blue is on turn",
    breaks="17. blue: give yellow 2 -- the table does not allow deals",
    ruling=rulings.V2,
)
V3: Final = Rule(
    "NO-V3",
    "unknown-terms",
    'Coins lie open, or with [Coins "hidden"] everybody sees only their own until the end. Helping with advice is '
    "allowed either way.",
    _TIPS,
    obeys='[Coins "hidden"] -- nobody sees what others have',
    breaks='[Coins "secret"] -- coins are open or hidden',
    ruling=rulings.V3,
)

RULES: Final = (
    *(P1, P2, P3, P4, P5, P6),
    *(D1, D2, D3, D4, D5, D6),
    *(M1, M2, M3, M4, M5, M6, M7, M8, M9),
    *(Z1, Z2),
    *(C1, C2, C3, C4, C5, C6, C7),
    *(R1, R2, R3),
    *(G1, G2, G3),
    *(S1, S2),
    *(V1, V2, V3),
)
