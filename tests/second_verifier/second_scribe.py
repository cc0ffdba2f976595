"""Whoever holds the keys and secrets of a post, and makes every number of a history fit: writers and forgers alike.

A history of the second form is given as events. Their numbers, seals, commitments, draws, hashes and signatures are
made anew, as far as the secrets are known, so that a record which says something untrue is false in that alone.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.second_verifier.second_chain import event_hash
from tests.second_verifier.second_draws import draw, draw_key, places, stirred_in
from tests.second_verifier.second_events import Event, Told, gather
from tests.second_verifier.second_layout import lines_of, opened_phrase
from tests.second_verifier.second_reading import Annotation, Entry, read
from tests.second_verifier.second_secrets import blinding_of, commitment
from tests.second_verifier.second_shapes import TURNS
from tests.second_verifier.second_signing import key_at, keys_of
from tests.second_verifier.second_told import told_seal
from tests.second_verifier.second_writing import canon, hexed

POST = "caravan@post.example"


class Scribe:
    """A post with all the keys that it has had."""

    def __init__(self, *privates: Any) -> None:
        self.keys = [Ed25519PrivateKey.from_private_bytes(private) for private in privates]

    def public(self, place: Any) -> Any:
        """One of the public keys, as it is written down."""
        return self.keys[place].public_key().public_bytes_raw().hex()

    def sign(self, public: Any, said: Any) -> Any:
        """The signature of a key, or of the first one, if that key is somebody else's."""
        known = {self.public(place): key for place, key in enumerate(self.keys)}
        return known.get(public, self.keys[0]).sign(said)

    def write(self, game: Any, events: Any, ending: Any, record: Any, spoil: Any = None, signer: Any = None) -> Any:
        """The record of a history. What `spoil` makes of an event comes in before it is hashed."""
        events = self.remake(game, events, ending, ending.signed[0] if ending.signed else POST)
        before, made = bytes(32), []
        for event in events:
            changed = spoil(event) if spoil else event
            before = event_hash(before, game, changed)
            made.append(changed._replace(hash=before.hex()))
        made = with_entries(made)
        ending = ending._replace(head=(len(made), before.hex()))
        if ending.signed:
            public = signer or keys_of(made)[-1][1]
            said = canon(["pbm-record-1", ending.signed[0], game, *ending.head])
            ending = ending._replace(signed=(ending.signed[0], public, self.sign(public, said).hex()))
        return "".join(f"{line}\n" for line in lines_of(game, made, ending, record))

    def remake(self, game: Any, events: Any, ending: Any, post: Any) -> Any:
        """The events with their numbers, seals, draws and the signatures under new keys in order."""
        moved = {event.seq: number for number, event in enumerate(events, 1) if event.seq}
        made = [renumbered(event, number, moved, game) for number, event in enumerate(events, 1)]
        for place, event in enumerate(made):
            if event.kind == "rekeyed" and event.data["signature"]:
                said = canon(["pbm-rekeyed-1", post, game, event.seq, event.data["key"]])
                signature = self.sign(key_at(made, event.seq - 1).hex(), said).hex()
                made[place] = event._replace(data={**event.data, "signature": signature})
        key = bytes.fromhex(ending.blind) if ending.blind else None
        bound = list(places(game, made))
        made = [resealed(event, game, epoch, key) for event, (epoch, _, _) in zip(made, bound, strict=True)]
        if ending.seed is None or made[0].data["proof"]["level"] != 1:
            return made
        drawing = draw_key(bytes.fromhex(ending.seed), game, stirred_in(made))
        return [redrawn(event, drawing, game, place) for event, place in zip(made, bound, strict=True)]


def renumbered(event: Any, number: Any, moved: Any, game: Any) -> Any:
    """An event in its place, with the seals of all texts that are told."""
    data = dict(event.data)
    if event.kind in ("played", "resigned", "ended") and data.get("asked") in moved:
        data["asked"] = moved[data["asked"]]
    event = event._replace(seq=number, data=data, told=tuple(told._replace(seq=number) for told in event.told))
    for told in event.told:
        seal = told_seal(bytes.fromhex(told.salt), game, number, told.field, told.text).hex()
        event = event._replace(data=with_seal(event, told.field, seal))
    return event


def with_seal(event: Any, field: Any, seal: Any) -> Any:
    """The data of an event with a text sealed in it."""
    if event.kind != "opened":
        return {**event.data, field: seal}
    seat, people = field.removeprefix("name."), event.data["people"]
    return {**event.data, "people": {**people, seat: {**people[seat], "name": seal}}}


def resealed(event: Any, game: Any, epoch: Any, key: Any) -> Any:
    """An event with its opened seals true to their commitments, and to the blind key, if that is known."""
    seals = []
    for seal in event.seals:
        if seal.value is not None:
            blind = blinding_of(key, game, event, epoch, seal.field) if key else bytes.fromhex(seal.blinding)
            made = commitment(blind, game, event.seq, seal.field, seal.value).hex()
            seal = seal._replace(commitment=made, blinding=blind.hex())
        seals.append(seal)
    return event._replace(seals=tuple(seals))


def redrawn(event: Any, key: Any, game: Any, place: Any) -> Any:
    """An event with its draws as they come out at this place."""
    epoch, links, link = place
    draws = tuple(
        (draw(key, ["pbm-draw-1", game, epoch, links, j, purpose, link, None], many), many, purpose)
        for j, (_, many, purpose) in enumerate(event.draws, 1)
    )
    return event._replace(draws=draws)


def with_entries(events: Any) -> Any:
    """Turns with entries that say the same, and with digests where nothing is closed: made up where there was none."""
    closed = any(seal.value is None for event in events for seal in event.sealed_moves)
    made = []
    for event in events:
        if event.kind in TURNS:
            known = [piece for piece in event.entry.annotations if piece.name == "state"] if event.entry else []
            digest = Annotation("state", hexed([event.seq, event.data["phrase"]])[:32], 0)
            entry = Entry(event.data["turn"], event.data["seat"], opened_phrase(event), [], 0)
            event = event._replace(entry=entry._replace(annotations=[] if closed else known or [digest]))
        made.append(event)
    return made


@lru_cache(maxsize=256)
def taken_apart(text: Any) -> Any:
    """A record, its events and its ending; many lies are told of one record, and none changes these."""
    record = read(text)
    return record, *gather(record.body)


class Tale:
    """An honest record in the hands of a forger."""

    def __init__(self, scribe: Any, text: Any, chance: Any) -> None:
        self.scribe, self.text, self.chance = scribe, text, chance
        self.record, self.events, self.ending = taken_apart(text)
        self.game = dict(self.record.headers)["Id"]
        self.is_over = self.ending.seed is not None
        self.form = self.events[0].form

    def pick(self, *kinds: Any, where: Callable[[Any], Any] = bool) -> Any:
        """One of the events of these kinds, or of all, for which something holds; nothing if there is none."""
        found = [event for event in self.events if (not kinds or event.kind in kinds) and where(event)]
        return self.chance.choice(found) if found else None

    def first(self, kind: Any) -> Any:
        """The first event of a kind, or nothing."""
        return next((event for event in self.events if event.kind == kind), None)

    def turn_at(self, event: Any) -> Any:
        """The number of the last entry before an event."""
        return next((each.entry.number for each in reversed(self.events[: event.seq]) if each.entry), 1)

    def write(self, events: Any = None, ending: Any = None, spoil: Any = None, signer: Any = None) -> Any:
        """The record with other events, another ending, or with some events spoilt."""
        return self.scribe.write(self.game, events or self.events, ending or self.ending, self.record, spoil, signer)

    def spoil(self, event: Any, change: Callable[[Any], Any]) -> Any:
        """The record with one event spoilt, if there is one."""
        if event is None:
            return None
        return self.write(spoil=lambda each: change(each) if each.seq == event.seq else each)

    def data(self, event: Any, **data: Any) -> Any:
        """The record with other data in one event."""
        return self.spoil(event, lambda each: each._replace(data={**each.data, **data}))

    def without(self, event: Any, *names: Any) -> Any:
        """The record with some data of one event left out."""
        kept = {name: value for name, value in event.data.items() if name not in names} if event else {}
        return self.spoil(event, lambda each: each._replace(data=kept))

    def insert(self, place: Any, kind: Any, data: Any, **more: Any) -> Any:
        """The record with an event more, after so many others."""
        new = Event(0, kind, self.events[place - 1].at, data, "", 0, None, (), (), form=self.form)
        return self.write([*self.events[:place], new._replace(**more), *self.events[place:]])

    def drop(self, *events: Any) -> Any:
        """The record with some events less."""
        gone = {event.seq for event in events}
        return self.write([event for event in self.events if event.seq not in gone])

    def tell(self, event: Any, field: Any, text: Any) -> Any:
        """An event in which a text is told, with a salt of its own; whoever writes the event seals it, or does not."""
        told = Told(event.seq, field, self.chance.randbytes(32).hex(), text)
        return event._replace(told=(told,))


Lie = Callable[[Tale], Any]
"""What a forger does to an honest record: another text, or nothing where it has no place for that."""
