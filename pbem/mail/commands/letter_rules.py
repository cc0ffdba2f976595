"""Rules about letters, PO-L1 to PO-L11: why a line is asked about or not carried out.

Like the rules of a game they have codes that players can look up. Most raise a question, because the player clearly
wanted something that was not understood; the others only explain why a line was passed over.
"""

from typing import Final

from engine.verdict import Rule

_HOUSE: Final = "Caravan Post, docs/playing-by-mail.md"

L1: Final = Rule(
    "PO-L1",
    "move-not-understood",
    "A line that looks like a move but cannot be read as one stops the whole mail: we ask, and play nothing.",
    _HOUSE,
    obeys="lilac F4, salmon C9",
    breaks="lilca F4, salmon C9 -- no camel is called lilca",
)
L2: Final = Rule(
    "PO-L2",
    "two-moves-for-one-turn",
    "A letter holds the moves of one turn, once. Lines that follow one another with one move each are one turn; any "
    "other second move for the same turn is a question. Moves for later turns begin with `plan`.",
    _HOUSE,
    obeys="lilac F4, and on the next line: salmon C9",
    breaks="lilac F4, salmon C9 -- and further down: mint K8 K7",
)
L3: Final = Rule(
    "PO-L3",
    "order-not-understood",
    "A line that begins like an order must be one: what the order needs, and nothing else.",
    _HOUSE,
    obeys="vacation 2026-12-20 to 2027-01-02",
    breaks="vacation next week -- from which day to which?",
)
L4: Final = Rule(
    "PO-L4",
    "nothing-to-do",
    "A letter says what is to be done: a move or an order, each on a line of its own.",
    _HOUSE,
    obeys="help",
    breaks="See below.",
)
L5: Final = Rule(
    "PO-L5",
    "too-much",
    "A letter has at most 8,192 characters, 200 lines and 64 moves; a longer one is not read.",
    _HOUSE,
    obeys="lilac F4, salmon C9",
    breaks="a letter with three hundred lines",
)
L6: Final = Rule(
    "PO-L6",
    "two-meanings",
    "What means two things is a question: a word that is both an order and a move of the game, a move on a line that "
    "belongs to words for somebody or to a plan, a move beside an undo or beside a preview, or orders that do not go "
    "together.",
    _HOUSE,
    obeys="press to blue: well met -- then an empty line, then the move",
    breaks="press to blue: well met -- and right under it: lilac F4",
)
L7: Final = Rule(
    "PO-L7",
    "not-an-order",
    "What is neither an order nor a move, such as a greeting, is left alone.",
    _HOUSE,
    obeys="lilac F4, salmon C9",
    breaks="Hi all, hope you are well",
)
L8: Final = Rule(
    "PO-L8",
    "line-of-a-record",
    "A line as we write it, with number or seat before a move, tells what was played and is never played again; nor is "
    "a quoted line.",
    _HOUSE,
    obeys="lilac F4, salmon C9",
    breaks="13. red: lilac F4, salmon C9",
)
L9: Final = Rule(
    "PO-L9",
    "after-the-end",
    "What stands after `end` is not read, except in a game in which `end` ends a turn: there it hides nothing.",
    _HOUSE,
    obeys="lilac F4 -- before a line that says end",
    breaks="lilac F4 -- after a line that says end",
)
L10: Final = Rule(
    "PO-L10",
    "in-doubt",
    "What a mail asks for is not done if the same mail puts it off, doubts it or ties it to a condition: we ask.",
    _HOUSE,
    obeys="lilac F4, salmon C9",
    breaks="lilac F4, salmon C9 -- below a line that says: don't play this yet",
)
L11: Final = Rule(
    "PO-L11",
    "words-not-known",
    "A move is played at once if nothing stands beside it but what is known to be harmless: greetings, thanks, names, "
    "small talk. Beside words that we do not know, we read the move back, and play it later unless you say stop; at "
    "some tables we ask instead.",
    _HOUSE,
    obeys="lilac F4, salmon C9 -- beside it: sorry for the delay!",
    breaks="lilac F4, salmon C9 -- beside it: haikara lentää matalalla",
)

RULES: Final = (L1, L2, L3, L4, L5, L6, L7, L8, L9, L10, L11)
