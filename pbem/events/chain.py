"""The two hash chains of a game: one over all its events, one over its moves alone.

The hash of an event covers the hash of the event before it, so that no event can be changed, left out or moved without
changing every later hash; the last hash, the head, is printed in every mail. A hidden move is sealed: it is kept beside
the event's data, and the hash covers only a commitment to it. So are, in games of the second form, the word that says
who prepared a move, and names and free words, which can be forgotten without breaking the chain.

Draws depend on the chain of moves. It grows by single moves in the form that everybody may read, so that words, votes,
pauses, times and the way a turn is spread over letters cannot change a draw. Moves that are taken back stay in it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from engine.digest import canonical
from engine.game import CHANCE
from pbem.events.codec import encode
from pbem.events.kinds import GameStarted, MovesMade, TurnUndone, author_of
from pbem.events.payload import Payload
from pbem.events.post_kinds import GameRestored
from pbem.events.told import Seal, Told, seal_payload

ORIGIN: Final = "0" * 64
"""The hash before that of the first event."""

_MARK: Final = b"\x01pbm-event-1"


class Sealed(NamedTuple):
    """Moves in full, and who may read them so; the event's data show only what everybody may know.

    `fields` are the hidden moves one by one: the index of each among the moves, from 0, and its full text.
    """

    phrase: str
    readers: tuple[str, ...]
    fields: tuple[tuple[str, str], ...] = ()


Commit: TypeAlias = Callable[[int, str, str], str]
"""Makes the commitment to one hidden field, given the number of its event, the field's name and its value."""


BY: Final = "by"
"""The field of the commitment that seals who prepared a move."""


class Draft(NamedTuple):
    """An event that is not in the chain yet."""

    payload: Payload
    sealed: Sealed | None = None
    maker: str | None = None
    """Who prepared the player's own moves: player, plan, standing or if. None where nothing is sealed about it."""
    texts: tuple[tuple[str, str], ...] = ()
    """Texts to be sealed that the payload does not hold: private words, and what a note says; each with its field."""

    @property
    def kind(self) -> str:
        """The name of its kind, as the store and records write it."""
        return self.payload.kind

    @property
    def phrase(self) -> str:
        """The moves of an event, in full."""
        return phrase_of(self)


class Withheld(NamedTuple):
    """What stands in for the data of an event of the first form, from which a name or words were taken later."""

    digest: str
    """That of the event as it was: the hash of the event covers it, and so the chain can still be followed."""
    signature: str
    """The post's, under the digest and the data as they are shown now."""


WITHHOLDABLE: Final = ("opened", "substituted", "press", "appealed", "declined")
"""The kinds of event of the first form that hold a name or free words, and no move, draw, acceptance or end."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a game: number `seq`, counted from 1, at a moment in UTC to the second."""

    game: str
    seq: int
    payload: Payload
    at: str
    prev: str
    hash: str
    sealed: Sealed | None = None
    commitments: tuple[str, ...] = ()
    """One for each hidden field, in their order; they are public."""
    maker: str | None = None
    """Who prepared the player's own moves; empty if that is not known here, None where nothing is sealed about it."""
    told: Mapping[str, Told] = field(default_factory=dict)
    """Its sealed names and words, by field, in their order."""
    withheld: Withheld | None = None
    """There if its data are not those that it had, because somebody was forgotten."""

    @property
    def kind(self) -> str:
        """The name of its kind, as the store and records write it."""
        return self.payload.kind

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Everything that it commits to, each with its field: hidden moves, then who prepared them."""
        return committed_fields(self)

    @property
    def phrase(self) -> str:
        """The moves of an event, in full."""
        return phrase_of(self)


def committed_fields(event: "Draft | Event") -> tuple[tuple[str, str], ...]:
    """The hidden values of an event that it commits to, each with its field."""
    hidden = event.sealed.fields if event.sealed is not None else ()
    return hidden if event.maker is None else (*hidden, (BY, event.maker))


def author_of_event(event: Event) -> str | None:
    """Who made an event happen, or prepared it. While the game goes on, others must not be told of the latter."""
    return event.maker or author_of(event.payload)


def phrase_of(event: "Draft | Event", reader: str | None = None) -> str:
    """The moves of an event, in full or as one reader may know them while the game goes on."""
    if event.sealed is not None and (reader is None or reader in event.sealed.readers):
        return event.sealed.phrase
    if not isinstance(event.payload, MovesMade):
        raise TypeError(f"an event of the kind {event.kind} has no moves")
    return event.payload.phrase


def hash_event(
    previous: str,
    *,
    game: str,
    seq: int,
    payload: Payload,
    at: str,
    commitments: Iterable[str] = (),
    told: Mapping[str, Told] | None = None,
    withheld: Withheld | None = None,
) -> str:
    """The hash of an event that follows the head `previous`."""
    body = digest_data(game, seq, payload.kind, at, encode(payload, told)) if withheld is None else withheld.digest
    sealed = b"".join(map(bytes.fromhex, commitments))
    parts = (_MARK, bytes.fromhex(previous), bytes.fromhex(body), hashlib.sha256(sealed).digest())
    return hashlib.sha256(b"".join(parts)).hexdigest()


def digest_data(game: str, seq: int, kind: str, at: str, data: Mapping[str, object]) -> str:
    """The digest of what an event says, which its hash covers."""
    return hashlib.sha256(canonical({"at": at, "data": data, "game": game, "kind": kind, "seq": seq})).hexdigest()


def withheld_message(game: str, seq: int, head: str, digest: str, data: Mapping[str, object]) -> bytes:
    """The bytes that the post signs when it takes a name or words out of an event with the hash `head`."""
    return canonical(["pbm-withheld-1", game, seq, head, digest, hashlib.sha256(canonical(data)).hexdigest()])


def append_event(
    game: str, seq: int, head: str, draft: Draft, at: str, commit: Commit | None = None, seal: Seal | None = None
) -> Event:
    """The event that a draft becomes after event `seq` with the hash `head`.

    `commit` commits to hidden moves; `seal` seals names and words, and is given in games of the second form only.
    """
    following, payload, told = seq + 1, draft.payload, dict[str, Told]()
    commitments = tuple(commit(following, *each) for each in committed_fields(draft)) if commit is not None else ()
    if seal is not None:
        payload, told = seal_payload(payload, following, dict(draft.texts), seal)
    digest = hash_event(head, game=game, seq=following, payload=payload, at=at, commitments=commitments, told=told)
    return Event(game, following, payload, at, head, digest, draft.sealed, commitments, draft.maker, told)


def first_broken(events: Iterable[Event], *, after: int = 0, head: str = ORIGIN) -> int | None:
    """The number of the first event that does not fit the chain, or None if all do; nor may a told text be another.

    `events` are all, or those behind the one whose number is `after` and whose hash is `head`. A chain whose end was
    cut off still fits; the heads in the players' mails show that.
    """
    game = None
    for seq, event in enumerate(events, start=after + 1):
        game = game or event.game
        expected = hash_event(
            head,
            game=game,
            seq=seq,
            payload=event.payload,
            at=event.at,
            commitments=event.commitments,
            told=event.told,
            withheld=event.withheld,
        )
        if (event.game, event.seq, event.prev, event.hash) != (game, seq, head, expected):
            return seq
        if not all(told.is_true(game, seq, name) for name, told in event.told.items()):
            return seq
        head = event.hash
    return None


def opens_epoch(payload: Payload) -> bool:
    """Whether draws, statements and blindings after an event belong to a new epoch."""
    return isinstance(payload, TurnUndone | GameRestored)


def epochs_before(events: Iterable[Event], epoch: int = 0) -> Iterator[int]:
    """The epoch of each event: how often the table had gone back, or was restored, before it.

    `epoch` is that of the first event, which need not be the first of the game.
    """
    for event in events:
        yield epoch
        epoch += opens_epoch(event.payload)


_MOVES_MARK: Final = "pbm-moves-1"


class MoveChain(NamedTuple):
    """The length of the chain of moves, and its last hash in hexadecimal digits."""

    length: int
    head: str

    def add(self, seat: str, turn: int, text: str) -> "MoveChain":
        """The chain with one more move."""
        said = hashlib.sha256(canonical([seat, turn, text])).digest()
        grown = hashlib.sha256(b"\x03" + _MOVES_MARK.encode() + bytes.fromhex(self.head) + said)
        return MoveChain(self.length + 1, grown.hexdigest())


EMPTY_MOVE_CHAIN: Final = MoveChain(0, "0" * 64)
"""The chain of a table that is not opened yet."""


def start_move_chain(game: str) -> MoveChain:
    """The chain of moves of a game in which nothing has been drawn or played."""
    return MoveChain(0, hashlib.sha256(canonical([_MOVES_MARK, game])).hexdigest())


def extend_move_chain(moves: MoveChain, payload: Payload) -> MoveChain:
    """The chain after an event: the set-up is its first link, then every move; other events change nothing."""
    if isinstance(payload, GameStarted):
        return moves.add(CHANCE, 0, canonical(payload.options).decode())
    if isinstance(payload, MovesMade):
        for text in payload.plies or (payload.phrase,):
            moves = moves.add(payload.seat, payload.turn, text)
    return moves
