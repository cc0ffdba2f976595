"""Every way in which a text can fail to be a record, as rules with codes.

The codes never change their meaning. F is the file, H headers, T turns, R remarks, M moves. `obeys` and `breaks` are
lines of a record, or say in words what cannot be shown in one; a test reads them.
"""

from typing import Final

from engine.verdict import Rule


def _rule(code: str, name: str, text: str, *, breaks: str, obeys: str) -> Rule:
    return Rule(code=code, name=name, text=text, source="docs/notation.md", obeys=obeys, breaks=breaks)


_TURN: Final = "13. red: lilac F4, salmon C9"

RULES: Final = (
    _rule(
        "NT-F1",
        "not-utf-8",
        "A record is UTF-8 text.",
        breaks="a file saved in another encoding, such as Windows-1252",
        obeys='[Seat.red "André"]',
    ),
    _rule(
        "NT-F2",
        "control-character",
        "Control characters do not stand in a record; inside quotation marks and braces they are written \\u0007.",
        breaks="a bell character (number 7) in a comment",
        obeys="13. red: lilac F4 {\\u0007}",
    ),
    _rule(
        "NT-F3",
        "line-too-long",
        "A turn with all its remarks has at most 262,144 characters, over all its lines, and so has any other line. "
        "Shorten what is longer.",
        breaks="a comment of 300,000 characters",
        obeys="13. red: lilac F4 {so so}",
    ),
    _rule(
        "NT-F4",
        "game-too-long",
        "A game has at most 2,097,152 characters besides its annotations, and these have at most 33,554,432.",
        breaks="a game of 100,000 turns",
        obeys=_TURN,
    ),
    _rule(
        "NT-F5",
        "too-many-faults",
        "After 100 faults the rest of a game is not read.",
        breaks="a letter of 101 lines in place of a record",
        obeys=_TURN,
    ),
    _rule(
        "NT-H1",
        "malformed-header",
        'A header is a name and a text in quotation marks, between square brackets: [Id "sirocco-7"].',
        breaks="[Id sirocco-7]",
        obeys='[Id "sirocco-7"]',
    ),
    _rule(
        "NT-H2",
        "header-given-twice",
        "Each header stands once in a game.",
        breaks='[Id "sirocco-7"]\n[Id "sirocco-8"]',
        obeys='[Id "sirocco-7"]',
    ),
    _rule(
        "NT-H3",
        "unknown-format",
        'This program reads records of format 1, which say [Format "1"].',
        breaks='[Format "2"]',
        obeys='[Format "1"]',
    ),
    _rule(
        "NT-T1",
        "not-a-turn",
        "A turn begins with its number, which may be left out, the seat and a colon: 13. red: lilac F4.",
        breaks="13 red lilac F4",
        obeys=_TURN,
    ),
    _rule(
        "NT-T2",
        "turn-without-a-move",
        "A turn holds at least one move; who can do nothing writes pass.",
        breaks="13. red:",
        obeys="13. red: pass",
    ),
    _rule(
        "NT-T3",
        "stray-sign",
        "Brackets and quotation marks belong in pairs, $ before a judgement's number, | between turns of a variation.",
        breaks="13. red: lilac F4 ]",
        obeys="13. red: lilac F4",
    ),
    _rule(
        "NT-R1",
        "comment-not-closed",
        "A comment begins with { and ends with }. Inside it, } is written \\} and \\ is written \\\\.",
        breaks="13. red: lilac F4 {a good camel",
        obeys="13. red: lilac F4 {a good camel}",
    ),
    _rule(
        "NT-R2",
        "variation-not-closed",
        "A variation begins with ( and ends with ), before the next empty line.",
        breaks="13. red: lilac F4 (13. red: lilac F5",
        obeys="13. red: lilac F4 (13. red: lilac F5)",
    ),
    _rule(
        "NT-R3",
        "variations-nested-too-deep",
        "Variations are nested at most 64 deep.",
        breaks="a variation inside 64 others",
        obeys="13. red: lilac F4 (13. red: lilac F5 (13. red: lilac F6))",
    ),
    _rule(
        "NT-R4",
        "variation-without-a-turn",
        "A variation holds at least one turn.",
        breaks="13. red: lilac F4 ()",
        obeys="13. red: lilac F4 (13. red: lilac F5)",
    ),
    _rule(
        "NT-R5",
        "malformed-annotation",
        "An annotation is a name and what it says, on one line: [%clock 1:05:23]. Inside it, ] is written \\].",
        breaks="13. red: lilac F4 [%clock 1:05:23",
        obeys="13. red: lilac F4 [%clock 1:05:23]",
    ),
    _rule(
        "NT-M1",
        "word-not-understood",
        "A move is written as its game's notation says.",
        breaks="13. red: lilca F4",
        obeys="13. red: lilac F4",
    ),
    _rule(
        "NT-M2",
        "unfinished-move",
        "A move names everything that it needs.",
        breaks="13. red: lilac F4, salmon",
        obeys=_TURN,
    ),
    _rule(
        "NT-M3",
        "malformed-result",
        "A result is * while the game goes on, then the seats in order with their points: red 63 won, blue 51.",
        breaks="63 for red",
        obeys="red 63 won, blue 51",
    ),
)

BY_CODE: Final = {rule.code: rule for rule in RULES}
