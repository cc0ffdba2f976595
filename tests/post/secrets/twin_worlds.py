"""Twin worlds: the same letters come to two posts at the same hours, and only what a viewer may not know differs.

A scene is lived through in the first world, which notes every deed. The second world does the same deeds while chance
brings something else wherever the viewer is not told, or while others write something else in secret. After each deed
both are looked at, and every mail that the viewer or the public got is noted with what is hidden behind it.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import registry
from engine.brotherhood.position import ROLL
from engine.chance import KeyedDealer
from engine.game import PUBLIC, Game, Seat
from notation import write_moves
from pbem.demo.players import plan_moves
from pbem.judging.submission import can_accept
from pbem.mail.writing.mime import Mail
from pbem.proof.public_beacon import SignedBeacon
from pbem.render import draw, raster
from pbem.tables.silence import is_offered_briefly
from pbem.tables.table import PLAYING, Table
from pbem.workflow.handle_letter import LetterOutcome
from pbem.workflow.observers import add_observer
from pbem.workflow.tick import tick
from tests.post.court.courts import REFEREE, Court
from tests.post.post_games import TABLE
from tests.post.secrets import watchful
from tests.post.secrets.fortunes import Favour, Fortune, fill_purses
from tests.post.secrets.onlookers import Onlooker, Seen, tell_apart
from tests.post.secrets.outputs import OBSERVER, Outputs, note_signatures
from tests.post.secrets.veils import Veil
from tests.post.secrets.written_mails import Listener, Written
from tests.post.towns import SEED, Town, found_town, readdress

PLAYERS = 3
OPTIONS = {"nomadi": {"Coins": "hidden", "Deals": "yes"}}
"""Games in which something more can be hidden from the beginning: the coins of others."""
NEVER = 1_000_000
"""The commands are not asked here; `test_secrets` does that."""
SERVER = "mx.post.test"
"""Our own mail server, where a scene lets it vouch for senders."""


@dataclass(frozen=True)
class Scene:
    """Something that happens at a post: where, on which terms, and what is done. `live` does it in the first world."""

    name: str
    live: Callable[["World"], None]
    games: tuple[str, ...] = ("shy-well",)
    """Games in which it can happen; each language takes another one."""
    settings: tuple[tuple[str, object], ...] = ()
    beacon: SignedBeacon | None = None
    terms: tuple[tuple[str, object], ...] = ()
    """What the table has agreed on besides."""
    seeded: bool = False
    """Whether the worlds differ in the seed, so that they can be compared only until the game begins."""
    favour: Favour = watchful.rob_at_once
    """What chance brings instead of its own in the first world, in the Brotherhood."""


@dataclass
class World:
    """One of two worlds, seen with a viewer's eyes."""

    number: int
    court: Court
    outputs: Outputs
    viewer: Seat
    language: str
    listener: Listener
    fortune: Fortune
    deeds: list["Deed"] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    veil: Veil | None = None
    means: list[tuple[bool, ...]] = field(default_factory=list)
    """What was hidden at some moments: who could have paid for an offer, or who held a victory point card."""
    ways: list[bool] = field(default_factory=list)
    """At the same moments: whether whoever is due has but one move, which the hand says and nobody else sees."""

    def __post_init__(self) -> None:
        self._onlooker = Onlooker(self.court, self.outputs, self.viewer, often=NEVER)
        self._dealer = KeyedDealer(b"twins")

    @property
    def town(self) -> Town:
        return self.court.town

    @property
    def table(self) -> Table:
        return self.town.table

    @property
    def others(self) -> tuple[Seat, ...]:
        """All seats but the viewer's."""
        return tuple(seat for seat in self.table.seats if seat != self.viewer)

    def accept(self) -> None:
        """Let everybody accept."""
        for seat in self.table.seats:
            self.write(seat, "accept")

    def look(self, outcome: LetterOutcome | None = None) -> None:
        """See what there is to see; nothing can be seen of a damaged history but the mails."""
        self.seen.append(self._onlooker.look(outcome))

    def do(self, deed: "Deed") -> LetterOutcome | None:
        """Do something that the other world can do too, and look."""
        outcome = deed(self)
        self.town.carry()
        self.deeds.append(deed)
        self.look(outcome)
        return outcome

    def write(self, seat: Seat, words: str, *, otherwise: str = "", fate: str = "applied") -> LetterOutcome:
        """Let somebody write, in the other world perhaps `otherwise`."""
        friend, now = self.town.friends[seat], self.town.hours.now()
        instead = replace(friend).answer(otherwise or words, now)
        outcome = self.deliver(self.vouch(friend.answer(words, now)), self.vouch(instead))
        assert outcome.fate == fate, f"{words}: {outcome}"
        return outcome

    def deliver(self, letter: bytes, instead: bytes | None = None) -> LetterOutcome:
        """Let a letter come, in the other world perhaps another one."""
        two = (letter, letter if instead is None else instead)

        def come(world: World) -> LetterOutcome:
            if two[0] != two[1]:
                world.listener.whispers.append(two[world.number].decode())
            return world.town.deliver(readdress(two[world.number], world.town))

        outcome = self.do(come)
        assert outcome is not None
        return outcome

    def vouch(self, letter: bytes, result: str = "pass") -> bytes:
        """A letter as our mail server hands it on, where a scene has one that looks at senders."""
        if self.town.context.identity.authserv_id is None:
            return letter
        sender = letter.partition(b"From: ")[2].partition(b"@")[2].partition(b">")[0].decode()
        return f"Authentication-Results: {SERVER}; dmarc={result} header.from={sender}\r\n".encode() + letter

    def wait(self, **length: float) -> None:
        """Let time pass while the post looks at its clocks."""
        self.do(lambda world: (world.town.wait(**length), None)[1])

    def sleep(self, **length: float) -> None:
        """Let time pass while the post is down."""

        def sleep(world: World) -> None:
            world.town.hours.forward(**length)
            tick(world.town.context)

        self.do(sleep)

    def act(self, act: Callable[..., object], *given: object) -> None:
        """Let the referee, or the beacon, do something at the post."""
        self.do(lambda world: (act(world.town.context, *given), None)[1])

    def note_means(self) -> None:
        """Note who could pay for the offer that is open. Nobody in the world sees this."""
        table = self.table
        asked = [seat for seat in table.due if is_offered_briefly(table, seat)]
        self.means.append(tuple(can_accept(table.game, table.position, seat) for seat in asked))

    def note_points(self) -> None:
        """Note whether dice wait, who of the others holds a victory point card, and who can but roll.

        Nobody sees the latter two.
        """
        game, position = self.table.game, self.table.position
        waits = game.view(position, PUBLIC)["waits_for"] == ROLL
        hands = (game.view(position, seat)["developments"][seat]["cards"] for seat in self.others)
        self.means.append((waits, *(watchful.POINT in cards for cards in hands)))
        self.ways.append(sum(ply.seat == self.table.due[0] for ply in game.legal(position)) == 1)

    def check_noted(self) -> None:
        """Every mail to the viewer or the public was noted, so that none is written past those who look."""
        elsewhere = {*self.outputs.strangers, *(self.town.friends[seat].address for seat in self.others)}
        mails = [raw for address, sent in self.town.mails.items() if address not in elsewhere for raw in sent]
        assert sorted(mails) == sorted(written.mail.raw for written in self.listener.written)

    def expect(self, seat: Seat, name: str) -> None:
        """Let mails for a seat go to somebody else from now on."""
        friend = self.town.friends[seat]
        self.outputs.strangers[friend.address] = seat
        self.town.friends[seat] = replace(friend, name=name, address=f"{name.lower()}@players.test", mails=[])

    def phrase(self, seat: Seat) -> str:
        """A move that somebody may make without revealing more than he must."""
        table = self.table
        if table.game.key.startswith("brotherhood"):
            return write_moves(table.game, watchful.choose(table, seat, self.viewer, self._dealer))
        return plan_moves(table, seat, self._dealer).phrase

    def move(self, seat: Seat | None = None) -> Seat:
        """Let somebody move who is due, others rather than the viewer."""
        due = [each for each in self.table.due if each != self.viewer] or [self.viewer]
        mover = seat or due[-1]
        self.write(mover, self.phrase(mover))
        return mover

    def play_until(self, come: Callable[[Table], object], most: int = 24) -> None:
        """Let people move until something has come."""
        for _ in range(most):
            if come(self.table):
                return
            assert self.table.stage == PLAYING
            self.move()
        raise AssertionError("it does not come")

    def hides(self, _: Table) -> bool:
        """Whether anything is hidden that could be otherwise without the viewer's knowing."""
        return self.fortune.hides or self.table.game.key in OPTIONS


Deed = Callable[[World], LetterOutcome | None]


rasterise_once = cache(raster.rasterise)
"""The same picture is drawn for both worlds and all languages, so it is drawn once."""


class Twins(NamedTuple):
    """A scene, lived through twice."""

    one: World
    two: World

    def differences(self) -> list[str]:
        """Everything by which the viewer could tell the worlds apart; the first after each deed."""
        found = (tell_apart(here, there) for here, there in zip(self.one.seen, self.two.seen, strict=True))
        return [difference for difference in found if difference]

    def pairs(self) -> list[tuple[Written, Written]]:
        """The mails of both worlds, side by side, behind which different things are hidden."""
        pairs = zip(self.one.listener.written, self.two.listener.written, strict=True)
        return [(one, two) for one, two in pairs if one.hidden != two.hidden]


def tell_mails_apart(twins: Twins, one: Mail, two: Mail) -> str:
    """By what two mails could be told apart, one of each world, compared like all that is seen."""
    assert twins.one.veil is not None
    assert twins.two.veil is not None
    nothing = Seen((), "", "", (), "")
    here = nothing._replace(mails=(twins.one.veil.cover_mail(one.raw),))
    return tell_apart(here, nothing._replace(mails=(twins.two.veil.cover_mail(two.raw),)))


@contextmanager
def _found_world(
    number: int, scene: Scene, game: Game[Any], language: str, folder: Path, fortune: Fortune
) -> Iterator[World]:
    """A world in which a scene can begin, followed by a referee and an observer."""
    chosen = {"post.referee": REFEREE, "post.language": language, **dict(scene.settings)}
    seed = SEED if not scene.seeded or not number else SEED[::-1]
    signed: dict[str, bytes] = {}
    with pytest.MonkeyPatch.context() as patched:
        listener = Listener(game, seed)
        listener.listen(patched)
        note_signatures(signed, patched)
        patched.setattr(secrets, "token_bytes", lambda size: seed[:1] * size)
        founding = found_town(
            folder / "post",
            game,
            PLAYERS,
            options=OPTIONS.get(game.key),
            chosen=chosen,
            accepting=False,
            language=language,
            beacon=scene.beacon,
            seed=seed,
            terms=dict(scene.terms),
        )
        with founding as town:
            court = Court(town, folder)
            outputs = Outputs(court, folder / "journal")
            outputs.signed = signed
            with town.context.store.transaction() as at_desk:
                add_observer(at_desk, TABLE, name="Ewa", address=OBSERVER, language=language, zone="UTC")
                # Of what others get only number, order and times are compared, and plain text is quick to write.
                others = [person for person in at_desk.find_seats(TABLE) if person.seat != game.seats[1]]
                at_desk.save_seats([replace(person, plain=True) for person in others])
            world = World(number, court, outputs, game.seats[1], language, listener, fortune)
            world.look()
            yield world
            world.veil = Veil(town, signed)
            world.check_noted()


def live(scene: Scene, game: Game[Any], language: str, folder: Path) -> Twins:
    """Live through a scene twice."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(draw, "rasterise", rasterise_once)
        favour = scene.favour if game.key.startswith("brotherhood") else None
        fortune = Fortune(game, game.seats[1], favour)
        monkeypatch.setattr(type(game), "deal", staticmethod(fortune.deal))
        with _found_world(0, scene, game, language, folder / "one", fortune) as one:
            scene.live(one)
        if not one.listener.whispers and not scene.seeded:
            fortune.turn()
            monkeypatch.setattr(type(game), "deal", staticmethod(fortune.deal_otherwise))
            if game.key in OPTIONS:
                fill_purses(game, game.seats[1], monkeypatch)
        with _found_world(1, scene, game, language, folder / "two", fortune) as two:
            for deed in one.deeds:
                two.do(deed)
    return Twins(one, two)


def find_game(scene: Scene, number: int) -> Game[Any]:
    """The game in which a scene is lived through in the language with a number."""
    game = registry.find_game(scene.games[number % len(scene.games)])
    assert game is not None
    return game
