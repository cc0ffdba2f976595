"""Rules of the set-up, the boards, who begins, the roll and the tokens in the full game (BW-P, BW-S, BW-R, BW-T)."""

from typing import Final

from engine.brotherhood.rules import watch_rulings as rulings
from engine.verdict import Rule

_SETUP: Final = "Hebrew rulebook, rules of the Night's Watch: preparing the game"
_TURN: Final = "Hebrew rulebook, rules of the Night's Watch: course of a turn"
_TOKENS: Final = "Hebrew rulebook, rules of the Night's Watch: new wildlings by tokens"
_OURS: Final = "The rulebook is silent"
_TRADE: Final = "Hebrew rulebook, rules of the Night's Watch: trade"

S1: Final = Rule(
    "BW-S1",
    "the-watch",
    "All 40 wildling figures (24 regulars, 8 climbers, 8 giants) start in the Frostfangs, Tormund in his camp north of "
    "the Wall, the breach marker on its start. Each player has seven guards. The 57 tokens, for each clan twelve "
    "regulars, four climbers and three giants, are shuffled: one under each settlement and two under each keep on the "
    "players' cards, the rest is the pool.",
    _SETUP,
    obeys="1. red: settlement 17 -- everything stands ready as red places the first piece",
    ruling=rulings.S1,
)
S2: Final = Rule(
    "BW-S2",
    "set-up-calls-nobody",
    "The two settlements of the set-up turn up no token: theirs go into the pool unseen, so it starts with 13 tokens "
    "for four players and 24 for three.",
    _TOKENS,
    obeys="8. red: settlement 16, road 16-22 -- eight settlements stand, and no token is turned",
    ruling=rulings.S2,
)
S3: Final = Rule(
    "BW-S3",
    "a-guard-first",
    "When all settlements and roads of the set-up stand, each player in turn, the first player first, puts one guard "
    "on the Wall free: on the lowest free space of any section. Then the first turn begins.",
    _SETUP,
    obeys="12. black: guard 4 -- everybody has placed a guard, the last black; red's first turn begins",
    breaks="9. red: roll -- red rolls before everybody has placed a guard",
)
R1: Final = Rule(
    "BW-R1",
    "three-dice",
    "A roll is of three dice: two of six sides, whose sum produces or is a seven, and one of twelve sides for the "
    "wildlings. All that the two dice bring, discards and Tormund too, comes first; then the wildlings advance.",
    _TURN,
    obeys="19. *: dice 3 4 8 -- Tormund moves first, then a climber comes over the fourth section",
    breaks="13. *: dice 3 4 -- the wildling die is missing",
)
R2: Final = Rule(
    "BW-R2",
    "nothing-between-the-dice",
    "Between the dice and the advance of the wildlings nothing can be played but what the dice demand. Tarly reacts "
    "after the wildlings.",
    _TURN,
    obeys="19. black: discard 1 lumber 3 brick 2 ore -- a seven demands it; the wildlings wait",
    ruling=rulings.R2,
)
R3: Final = Rule(
    "BW-R3",
    "held-hex",
    "A hex held by a wildling produces nothing.",
    _TURN,
    obeys="20. *: dice 2 3 12 -- a climber holds A, the mountains of 5: red gets no ore",
)
R4: Final = Rule(
    "BW-R4",
    "tormund-among-wildlings",
    "Tormund may stand on a hex that a wildling holds, and a wildling may enter his. He does not count among the "
    "eight wildlings that end the game.",
    _OURS,
    obeys="22. blue: tormund A red -- a climber holds A; after a seven blue sends Tormund to the same hex",
    ruling=rulings.R4,
)
R5: Final = Rule(
    "BW-R5",
    "rate-of-the-watch",
    "The supply gives one card for three of a kind, or for two of the resource of a trade route where the player has "
    "built. Several such trades can be made at once.",
    _TRADE,
    obeys="13. red: trade 3 ore: 1 wool -- three ore for one wool, without any route",
    breaks="13. red: trade 2 ore: 1 wool -- red has built nothing on the ore route, and would give two ore",
)
T1: Final = Rule(
    "BW-T1",
    "token-not-there",
    "A settlement turns up the token that lay under it, a keep its two, one after the other, and the player who "
    "receives Longest Road or Largest Patrol a token of the pool. Only what is still face down can be turned up. "
    "Roads, guards and development cards turn up nothing.",
    _TOKENS,
    obeys="22. *: token hornfoot giant -- blue's fifth road in a line brings Longest Road, and this token",
    breaks="23. *: token hornfoot giant, token hornfoot giant -- all three giants of Hornfoot lie face up",
)
T2: Final = Rule(
    "BW-T2",
    "hottest-free-camp",
    "The token's wildling goes from the Frostfangs to its clan, into the free camp with the hottest fire: the one "
    "nearest to the trails.",
    _TOKENS,
    obeys=(
        "23. *: token hornfoot regular, token ice-river regular -- into the third camp of Hornfoot, the first of "
        "Ice River"
    ),
    ruling=rulings.T2,
)
T3: Final = Rule(
    "BW-T3",
    "no-figure-left",
    "When no figure of the token's kind is left in the Frostfangs, nobody comes, and the token is used up.",
    _OURS,
    obeys="30. *: token hornfoot climber -- all eight climbers are out: nobody comes",
    ruling=rulings.T3,
)
T4: Final = Rule(
    "BW-T4",
    "used-tokens",
    "Used tokens lie face up. When the pool is empty they are shuffled and become the new pool. A settlement that "
    "comes back for a keep gets a token of the pool under it.",
    _TOKENS,
    obeys=(
        "20. *: token hornfoot regular, token ice-river regular -- of black's keep; its settlement gets one of the pool"
    ),
)
T5: Final = Rule(
    "BW-T5",
    "new-pool-at-once",
    "The new pool is made at once, when the pool is empty and there is a used token; the token that was turned last "
    "belongs to it.",
    _TOKENS,
    obeys="84. *: token hornfoot climber, token ice-river regular -- the pool is empty, and made anew at once",
    ruling=rulings.T5,
)
T6: Final = Rule(
    "BW-T6",
    "order-of-tokens",
    "A special card changes hands at once; but a settlement's own token is turned before the one for the special card "
    "that it moves. The effect of a Ranger Patrol comes first, then Largest Patrol.",
    _TOKENS,
    obeys="52. black: … settlement 31 -- its own token first, then one for Longest Road",
    ruling=rulings.T6,
)
T7: Final = Rule(
    "BW-T7",
    "oldest-token-first",
    "If you build a settlement, you take the one from your card that has lain there longest, with its token.",
    _OURS,
    obeys="126. yellow: … settlement 21 -- with the token that lay there longest",
    ruling=rulings.T7,
)
T8: Final = Rule(
    "BW-T8",
    "keep-before-settlement",
    "A keep's two tokens are turned before the settlement that it replaces gets its new one.",
    _TOKENS,
    obeys=(
        "20. *: token hornfoot regular, token ice-river regular -- both are turned before the settlement gets its own"
    ),
    ruling=rulings.T8,
)
T9: Final = Rule(
    "BW-T9",
    "received-again",
    "A player who receives Longest Road or Largest Patrol again, after it was set aside or held by another, turns up a "
    "token again.",
    _TOKENS,
    obeys="37. red: road 47-54 -- a special card is received again, and a token of the pool is due",
)

RULES: Final = (S1, S2, S3, R1, R2, R3, R4, R5, T1, T2, T3, T4, T5, T6, T7, T8, T9)


_BOARD: Final = "Hebrew rulebook, rules of the Night's Watch: building the board"

P1: Final = Rule(
    "BW-P1",
    "wrong-gift",
    "Four play on all 21 hexes, five of them mountains, without the ice field. The usual board has its lands and "
    "numbers in fixed places.",
    _BOARD,
    obeys='[Board "standard"] -- four on the usual board',
    breaks='[Land "hills5 pasture6 mountains5 …"] -- a hill stands where the usual board has mountains',
    ruling=rulings.P1,
)
P2: Final = Rule(
    "BW-P2",
    "gift-of-three",
    "Three play on 16 hexes in rows of 4, 5, 4 and 3: the board of four without three hexes in the west and two in the "
    "east of the southern rows. Their numbers are two each of 3, 4, 5, 6, 8, 9, 10 and 11; 2 and 12 bring nothing. "
    "The trade routes lie along the shorter southern edge.",
    _BOARD,
    obeys='[Hexes "16"] -- three on 16 hexes',
    ruling=rulings.P2,
)
P3: Final = Rule(
    "BW-P3",
    "numbers-stay",
    "On a variable board only the lands are shuffled; the numbers keep their places.",
    _BOARD,
    obeys='[Board "variable"] -- the usual numbers with other lands',
    breaks='[Land "mountains6 pasture5 …"] -- the numbers of A and B are exchanged',
)
P4: Final = Rule(
    "BW-P4",
    "lands-of-three",
    "On a variable board for three, two mountains, one pasture, one field and one forest stay in the box.",
    _OURS,
    obeys='[Board "variable"] -- three mountains among the 16 hexes',
    ruling=rulings.P4,
)
P5: Final = Rule(
    "BW-P5",
    "who-begins",
    "The highest roll of the two dice begins, and a tie is rolled again; by mail chance draws the first player, which "
    "is the same.",
    _SETUP,
    obeys='[First "blue"] -- chance has drawn blue as the first player, who starts with Yarwyck',
    breaks='[First "green"] -- nobody called green sits here',
    ruling=rulings.P5,
)
P6: Final = Rule(
    "BW-P6",
    "routes-of-the-watch",
    "Five 2:1 routes lie in the south, from west to east for grain, brick, lumber, wool and ore, shuffled on a "
    "variable board. There are no 3:1 routes.",
    _TRADE,
    obeys='[Routes "grain brick lumber wool ore"] -- the usual order',
    breaks='[Routes "grain brick wool wool ore"] -- the wool route lies twice',
    ruling=rulings.P6,
)

BOARD_RULES: Final = (P1, P2, P3, P4, P5, P6)
