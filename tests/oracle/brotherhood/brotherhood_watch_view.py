"""The Wall, the north and the heroes of the oracle's table, in the shape of the engine's views."""

from typing import Any

from tests.oracle.brotherhood.brotherhood_heroes import display
from tests.oracle.brotherhood.brotherhood_table import CLANS, SECTIONS


def watch_view(table: Any) -> Any:
    """What everybody may know of the Night's Watch."""
    return {
        "sections": [list(table.guards[section]) for section in SECTIONS],
        "camps": {clan: list(table.camps[clan]) for clan in CLANS},
        "clearings": [len(table.clearings[section]) for section in SECTIONS],
        "gift": {table.board.letter(place): kind for place, kind in table.gift.items()},
        "frostfangs": dict(table.frostfangs),
        "breaches": table.breaches,
        "tokens": {
            "pool": table.pool.total(),
            "used": named(table.used),
            "unseen": [named(table.unseen[generation]) for generation in sorted(table.unseen)],
            "cards": {
                seat: {
                    "settlements": list(table.under[seat, "settlement"]),
                    "keeps": len(table.under[seat, "keep"]) // 2,
                }
                for seat in table.seats
            },
        },
        "heroes": {
            "before": {seat: {"hero": hero, "side": side} for seat, (hero, side, _) in table.heroes.items()},
            "display": display(table),
        },
    }


def named(tokens: Any) -> Any:
    """Tokens by clan and kind, those there are."""
    return {f"{clan} {kind}": count for (clan, kind), count in tokens.items() if count}
