"""Which rules of Nomadi the engine may cite where the oracle says in a word what is wrong.

A ply may break several rules at once; the engine cites one of them, and which is its own affair.
"""

CODES = {
    "over": "NO-G3",
    "placing": "NO-P5",
    "square": "NO-P4",
    "dice": "NO-D1",
    "card": "NO-C2",
    "answer": "NO-C4",
    "gift": "NO-V2",
    "die": "NO-D2",
    "dice must be played": "NO-D3",
    "no stone": "NO-M1",
    "group": "NO-M2",
    "free side": "NO-M3",
    "reach": "NO-M4 NO-M5 NO-M6",
    "landing": "NO-M7",
    "gap": "NO-M8",
    "there and back": "NO-M9",
    "start": "NO-Z1",
    "ravine": "NO-R2",
    "home": "NO-G2",
    "not due": "NO-P1 NO-D1 NO-C2 NO-C4 NO-G3",
    "not on turn": "NO-P1 NO-D1 NO-C2 NO-G3",
    "not now": "NO-P5 NO-D1 NO-C2 NO-C3 NO-G3",
}
