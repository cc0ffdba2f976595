"""Every kind of mail that a post can write, and which of them one mail is.

The list is taken from the code that writes mails, never kept here: from the kinds that types name (`MailKind`,
`NoticeKind`, `AnswerKind`, `UnchangedReason`), from the occasions and what each may carry, from what a decision may
hold, from the kinds of event, and from the reasons that have a sentence. Whatever is added there is a kind that no twin
world has reached, and `test_twins` fails until one does.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final, get_args

import templates
from engine.game import Seat
from pbem.events.chain import Draft, Event
from pbem.events.kinds import KINDS as EVENT_KINDS
from pbem.mail.writing import occasions
from pbem.mail.writing.page import MailKind
from pbem.tables.decision import AnswerKind, Decision, NoticeKind

HELD: Final = "game held"
"""A mail that is not composed from a table: the history of the game is damaged."""
ASIDE: Final = "aside"
"""Another one: a letter came and was put aside, and why."""
NOT_TOLD: Final = {
    "event opened": "invitations tell of it, and nothing else does",
    "InvitationMail.by": "no command says yet who invites",
}
"""What no mail can be, though the code has a place for it, and why."""
NOT_BY_LETTER: Final = (
    *("opened", "started", "dealt", "substituted", "ended", "extended", "ruled", "warranted", "closed", "awaited"),
    *("pulse", "invited", "called-off", "restored", "rekeyed", "note.delegated", "note.delegation-ended"),
)
"""Events that are never among those that a reply tells its reader to have done, because they follow or come unasked."""


def every_kind() -> frozenset[str]:
    """All kinds of mail that there are."""
    return frozenset(list_kinds()) - NOT_TOLD.keys()


def list_kinds() -> Iterator[str]:
    """All kinds that the code has a place for."""
    yield from get_args(MailKind)
    yield HELD
    yield from (f"{ASIDE} {why}" for why in get_args(occasions.AsideReason))
    yield from ("to a player", "to the referee", "to an observer")
    for occasion in get_args(occasions.Occasion):
        yield from (f"{occasion.__name__}.{name}" for name in _extras(occasion))
    yield from (f"notice {kind}" for kind in get_args(NoticeKind))
    yield from (f"answer {kind}" for kind in get_args(AnswerKind))
    yield from (f"stands {reason}" for reason in get_args(occasions.UnchangedReason))
    yield from (f"doubt {reason}" for reason in _reasons("doubt_because"))
    yield from (f"decision {each.name}" for each in fields(Decision))
    yield from ("refused by a rule of the game", "refused by a rule of the post")
    yield from (f"event {kind}" for kind in EVENT_KINDS)
    yield from (f"own {kind}" for kind in EVENT_KINDS if kind not in NOT_BY_LETTER)


def _extras(occasion: type) -> Iterator[str]:
    """What an occasion may have or not."""
    for each in fields(occasion):
        if each.default is not MISSING or each.default_factory is not MISSING:
            yield each.name


def _reasons(macro: str) -> list[str]:
    """The reasons that a sentence tells apart."""
    words = (Path(templates.__file__).parent / "mails" / "words.txt").read_text("utf-8")
    found = re.search(rf"{{% macro {macro}\(reason\) %}}(.*?){{% endmacro %}}", words, re.S)
    assert found is not None
    return re.findall(r'reason == "([\w-]+)"', found[1])


def kinds_of(occasion: Any, kind: str, reader: Seat) -> frozenset[str]:
    """All kinds that one mail is: an answer to two questions is both."""
    return frozenset(_kinds_of(occasion, kind, reader))


def _kinds_of(occasion: Any, kind: str, reader: Seat) -> Iterator[str]:
    yield kind
    is_player = reader != "referee" and not reader.startswith("observer-")
    yield "to a player" if is_player else "to the referee" if reader == "referee" else "to an observer"
    name = type(occasion).__name__
    yield from (f"{name}.{extra}" for extra in _extras(type(occasion)) if getattr(occasion, extra))
    match occasion:
        case occasions.NoticeMail():
            yield f"notice {occasion.kind}"
        case occasions.UnchangedMail():
            yield f"stands {occasion.reason}"
        case occasions.DoubtMail():
            yield f"doubt {occasion.reason}"
        case occasions.ReplyMail():
            for _, decision in occasion.outcomes:
                yield from _kinds_of_decision(decision)
    for events in ("events", "since", "after"):
        yield from (f"event {event.kind}" for event in getattr(occasion, events, ()))


def _kinds_of_decision(decision: Decision) -> Iterator[str]:
    yield from (f"decision {each.name}" for each in fields(decision) if _is_set(getattr(decision, each.name)))
    yield from (f"answer {answer.kind}" for answer in decision.answers)
    yield from _own(decision.drafts)
    if decision.refused is not None:
        yield "refused by a rule of the post"
    if decision.ruling is not None and decision.ruling.verdict is not None:
        yield "refused by a rule of the game"


def _is_set(value: object) -> bool:
    """Whether a field of a decision says anything; an empty plan does."""
    return value is not None and (isinstance(value, tuple) or bool(value)) and value != ()


def _own(drafts: Iterable[Draft | Event]) -> Iterator[str]:
    return (f"own {draft.kind}" for draft in drafts)
