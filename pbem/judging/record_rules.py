"""The rules that every record must keep, in any game: codes, texts and examples.

They ask for a known game, its seats, turn numbers that agree with play, and an ending and a result that agree with the
position. The rules of the games are in the engine.
"""

from typing import Final

from engine.verdict import Rule

_FORMAT: Final = "docs/notation.md, Headers"
_ENTRIES: Final = "docs/notation.md, Entries"
_ENDINGS: Final = "docs/notation.md, Endings and results"
_STATE: Final = "docs/notation.md, State digests"

G1: Final = Rule(
    "RC-G1",
    "unknown-game",
    "A record names its game by a key that this installation knows; `pbem games` lists them.",
    _FORMAT,
    obeys='[Game "through-the-desert"]',
    breaks='[Game "through-the-dessert"] -- no game has this key',
)
G2: Final = Rule(
    "RC-G2",
    "unknown-edition",
    "A record names the edition of the rules it was played under, because editions are never changed and a "
    "record must mean the same in twenty years. An edition that is not installed cannot be judged.",
    _FORMAT,
    obeys='[Rules "1"]',
    breaks='[Rules "99"] -- no such edition is installed',
)
P1: Final = Rule(
    "RC-P1",
    "no-seats",
    "A record says who sits at the table, one header for each seat in seat order.",
    _FORMAT,
    obeys='[Seat.red "Anna"] and [Seat.blue "Boris"]',
    breaks="a record without any Seat header",
)
P2: Final = Rule(
    "RC-P2",
    "unknown-seat",
    "A seat of the table is one that the game has.",
    _FORMAT,
    obeys='[Seat.red "Anna"]',
    breaks='[Seat.purple "Anna"] -- Through the Desert has no purple rider',
)
P3: Final = Rule(
    "RC-P3",
    "wrong-pose",
    "A record may state the position from which it goes on, with a header Pose for the table and one for each seat. "
    "What they say must be possible on the board and with what is in the box.",
    _FORMAT,
    obeys='[Pose.blue "stones M16 M17 M18 M19 N16 N17 N18 N19"] -- blue has eight stones in a game of two',
    breaks='[Pose.blue "stones M16"] -- blue has eight stones in a game of two',
)
W1: Final = Rule(
    "RC-W1",
    "stranger",
    "Only the seats of the table play, and chance, written `*`.",
    _ENTRIES,
    obeys="1. red: leader lilac E4 -- red has a Seat header",
    breaks="1. green: leader lilac E4 -- nobody sits at green in this record",
)
W2: Final = Rule(
    "RC-W2",
    "chance-not-due",
    "Chance plays only where the rules call for a roll or a draw.",
    _ENTRIES,
    obeys="31. *: dice 6 3 -- where the rules call for two dice",
    breaks="11. *: lilac E5 -- it is red's turn to place a camel",
)
T1: Final = Rule(
    "RC-T1",
    "wrong-turn-number",
    "Entries stand in the order of play, and the number before an entry is that of the turn being played.",
    _ENTRIES,
    obeys="12. blue: mint K8 K7 -- after turn 11",
    breaks="13. blue: mint K8 K7 -- after turn 11; a turn is missing or was moved",
)
U1: Final = Rule(
    "RC-U1",
    "undo-beyond-play",
    "The table can go back to the beginning of a turn that was played and still stands, or to a place between two of "
    "its entries. What was taken back stays in the record, and numbers count on from the turn gone back to.",
    _ENTRIES,
    obeys="31. undo: turn 29 -- turns 29 and 30 are taken back; turn 29 follows",
    breaks="31. undo: turn 40 -- play has come to turn 31 only",
)
Q1: Final = Rule(
    "RC-Q1",
    "pause-out-of-place",
    "A pause begins once for each reason, and ends once.",
    _ENTRIES,
    obeys='31. resume: "vote" -- after 31. pause: "vote"',
    breaks='31. resume: "vote" -- nobody paused for a vote',
)
L1: Final = Rule(
    "RC-L1",
    "left-before",
    "A seat is given up once, until somebody else takes it.",
    _ENTRIES,
    obeys='31. resign: red -- after 29. resign: red and 30. substitute: red "Dana"',
    breaks="31. resign: red -- after 29. resign: red",
)
L2: Final = Rule(
    "RC-L2",
    "too-few-left",
    "Players give up one by one only while at least two others play on. A player who leaves fewer ends the game: the "
    "ending names all who have given up.",
    _ENTRIES,
    obeys="31. end: resigned red blue -- after 29. resign: red, with green left",
    breaks="31. resign: blue -- after 29. resign: red, with green left",
)
E1: Final = Rule(
    "RC-E1",
    "play-after-the-ending",
    "An ending closes the record: nothing follows it.",
    _ENDINGS,
    obeys="58. end: normal -- as the last entry",
    breaks="58. red: lilac F4 -- after 57. end: resigned blue",
)
E2: Final = Rule(
    "RC-E2",
    "ending-too-early",
    "A normal ending stands only where the rules end the game.",
    _ENDINGS,
    obeys="58. end: normal -- a herd is empty and the turn complete",
    breaks="20. end: normal -- red is still to move",
)
E3: Final = Rule(
    "RC-E3",
    "ending-too-late",
    "Once the rules have ended the game, its only ending is `normal`: nobody can resign or run out of time.",
    _ENDINGS,
    obeys="58. end: normal -- after the last turn",
    breaks="58. end: resigned red -- the game was over after turn 57",
)
E4: Final = Rule(
    "RC-E4",
    "ending-names-a-stranger",
    "An ending that names seats, as resigning does, names seats of the table, each once.",
    _ENDINGS,
    obeys="20. end: resigned blue",
    breaks="20. end: resigned green -- nobody sits at green in this record",
)
E5: Final = Rule(
    "RC-E5",
    "adjudicated-without-a-reason",
    "A game that a referee has decided says why, in quotation marks.",
    _ENDINGS,
    obeys='20. end: adjudicated blue "red has not answered for a year"',
    breaks='20. end: adjudicated blue "" -- nobody knows why',
)
R1: Final = Rule(
    "RC-R1",
    "result-missing",
    "A record with an ending says the result in its header.",
    _ENDINGS,
    obeys='[Result "red 63 won, blue 51"] with 58. end: normal',
    breaks='[Result "*"] with 58. end: normal -- the game is finished',
)
R2: Final = Rule(
    "RC-R2",
    "result-too-early",
    "While a game is going on its result is `*`.",
    _ENDINGS,
    obeys='[Result "*"] -- no ending yet',
    breaks='[Result "red 63 won, blue 51"] -- without an ending',
)
R3: Final = Rule(
    "RC-R3",
    "wrong-result",
    "A result lists every seat once, in seat order. Points, where it gives any, are those that the rules give, "
    "and after a normal ending it marks those who won by the rules. Who resigned or ran out of time has not won. "
    "An adjudication may set points and winners as it finds right.",
    _ENDINGS,
    obeys='[Result "red 63 won, blue 51"]',
    breaks='[Result "red 51, blue 63 won"] -- when red has 63 points',
)
S1: Final = Rule(
    "RC-S1",
    "state-differs",
    "A state digest written after a move is that of the position the moves lead to: 32 hexadecimal digits.",
    _STATE,
    obeys="[%state 5f0c…] -- written by `pbem sample --digests`, and the moves before it unchanged",
    breaks="[%state 00000000000000000000000000000000] -- the position has another digest",
)

RULES: Final = (G1, G2, P1, P2, P3, W1, W2, T1, U1, Q1, L1, L2, E1, E2, E3, E4, E5, R1, R2, R3, S1)
