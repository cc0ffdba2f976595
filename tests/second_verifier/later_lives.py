"""Tables of the second form of proof: seats are declined, the post is restored, keys change, names are withheld."""

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.chance import KeyedDealer
from engine.game import CHANCE
from pbem.events.chain import Draft
from pbem.events.kinds import author_of
from pbem.events.post_kinds import GameRestored, KeyReplaced, MovePencilled, Note
from pbem.mail.commands.invitation import AcceptInvitation, DeclineInvitation
from pbem.proof.signatures import Signer, new_key_message
from pbem.tables import play as playing
from pbem.tables import referee_decisions
from pbem.tables.absences import keep_seat, offer_seat
from pbem.tables.asking import asked_seat
from pbem.tables.chance import GameDealer, random_moves
from pbem.tables.fold import fold
from pbem.tables.pencils import draft_erasure
from tests.second_verifier.table_lives import GAMES, WORDS, Life


class LaterLife(Life):
    """One table of the second form, lived by chance."""

    def __init__(self, operator: Any, number: Any) -> None:
        self.chance, self.number = Random(f"later life {number}"), number
        game = self.chance.choice(list(GAMES))
        secrets = {"seed": self.chance.randbytes(32), "blind": self.chance.randbytes(32)}
        players = self.chance.choice(GAMES[game])
        self.post = operator(table=f"sirocco-{number}", game=game, players=players, form=2, **secrets)
        self.seats = self.post.open()
        self.dealer, self.table = GameDealer(self.post.seed), fold(self.post.events)

    def records(self) -> Iterator[Any]:
        """What anybody may be given before the start, at some moments of this life, and at its end."""
        for text in (*self.gather(), *super().records()):
            yield text
            if self.chance.random() < 0.3:
                yield self.withheld().text()

    def gather(self) -> Iterator[Any]:
        """Seats are taken and declined, and offered to others, until all sit or it is called off."""
        called_off = self.chance.random() < 0.25
        while self.table.stage == "inviting":
            if self.table.free:
                seat, name = self.chance.choice(sorted(self.table.free)), self.chance.choice(WORDS[2:]) or "Dov"
                self.apply_events(referee_decisions.invite(self.table, seat, name.strip("\u2028\x07 ")).drafts)
            elif called_off and self.chance.random() < 0.6:
                self.apply_events(referee_decisions.call_off(self.table, "nobody comes").drafts)
            else:
                seat = self.chance.choice(self.seats)
                word = DeclineInvitation() if self.chance.random() < 0.25 else AcceptInvitation(f"by {seat}")
                self.apply_events(self.order(seat, word))
            if self.table.stage != "called off":
                self.apply_events(self.notes(0.1))
            yield self.post.text()

    def something(self, moment: Any) -> Any:
        """What happens next: mostly what happens at any table."""
        dice = self.chance.random()
        if dice < 0.03:
            return [Draft(GameRestored(self.chance.choice(["", *WORDS]), by="post"))]
        if dice < 0.05:
            return [self.new_key()]
        if dice < 0.12 and self.table.due and self.table.due[0] not in self.table.resigned:
            seat = self.table.due[0]
            text = random_moves(self.table, seat, KeyedDealer(f"{self.number} {moment}".encode()))
            by = self.chance.choice(["plan", "standing", "if"])
            return playing.play(self.table, seat, text, self.dealer, letter="", by=by).drafts
        if 0.2 <= dice < 0.23 and self.table.active:
            seat = self.chance.choice(self.table.active)
            return (keep_seat if seat in self.table.stand_ins.offered else offer_seat)(self.table, seat).drafts
        if dice < 0.2 and self.table.due and self.table.due[0] not in (*self.table.resigned, CHANCE):
            return self.pencils(moment)
        return [*self.notes(0.05), *self.spared(list(super().something(moment)))]

    def spared(self, drafts: list[Draft]) -> list[Draft]:
        """What happens, after what waits was erased if the clock is not to touch it."""
        late = {asked_seat(draft.payload) for draft in drafts if author_of(draft.payload) != "player"}
        waiting = {seat: kept for seat in late if seat and (kept := self.table.pencil(seat)) is not None}
        return [*(draft_erasure(seat, kept) for seat, kept in waiting.items()), *drafts]

    def pencils(self, moment: Any) -> list[Draft]:
        """A letter waits; it is erased, replaced by another, played, or waits on."""
        seat = self.table.due[0]
        waiting = self.table.pencil(seat)
        if waiting is not None and self.chance.random() < 0.5:
            played = playing.play(self.table, seat, waiting.text, self.dealer, turn=waiting.turn, letter=waiting.letter)
            return list(played.drafts) or [draft_erasure(seat, waiting)]
        if waiting is not None and self.chance.random() < 0.5:
            return [draft_erasure(seat, waiting)]
        text = random_moves(self.table, seat, KeyedDealer(f"{self.number} {moment} waits".encode()))
        letter = self.chance.randbytes(32).hex()
        return [Draft(MovePencilled(seat, self.table.turn, letter, "2036-01-01T00:00:00Z", text))]

    def notes(self, often: float) -> list[Draft]:
        """A note of a kind that no verifier knows, with words that are sealed or not."""
        if self.chance.random() >= often:
            return []
        words = self.chance.choice(WORDS)
        sealed = (("words", words),) if self.chance.random() < 0.5 else ()
        kind = self.chance.choice(["note.scribbled", "note.seen-by", "note.x"])
        return [Draft(Note(kind, {"seat": "red", "more": [1, {"x": None}], "plain": words}), texts=sealed)]

    def new_key(self) -> Draft:
        """The post takes another key, which the old one signs, or does not any more."""
        old, private = self.post.signer, self.chance.randbytes(32)
        self.post.signer = Signer(old.name, private)
        key = self.post.signer.public.hex()
        message = new_key_message(old.name, self.post.table, len(self.post.events) + 1, key)
        signature = old.sign(message).hex() if self.chance.random() < 0.7 else ""
        return Draft(KeyReplaced(key, signature, by="post"))

    def withheld(self) -> Any:
        """The post after somebody was forgotten."""
        share = self.chance.random()
        chosen = Random(f"{self.number} {share}")
        return self.post.forget(lambda event, name: chosen.random() < share)
