"""Games played by the engine and the oracle side by side, asked the same questions before every ply.

The engine is known here only by its contract and its views. `play` says what the game reached, so that a test can
demand that rare things were really compared.
"""

from collections import Counter
from typing import Any

from engine import registry
from engine.brotherhood import moves
from engine.game import PUBLIC, Ply
from engine.replay import run
from tests.oracle.brotherhood import brotherhood_oracle as oracle
from tests.oracle.brotherhood import brotherhood_tempers as tempers
from tests.oracle.brotherhood import brotherhood_tries as tries
from tests.oracle.brotherhood.brotherhood_events import events, snapshot
from tests.oracle.brotherhood.brotherhood_start import RandomDealer, draw_setup, lay_oracle_table
from tests.oracle.brotherhood.brotherhood_view import STILL, still_view, view

UNLISTED = (moves.Offer, moves.Discard, moves.Trade)
"""Moves with amounts, which `legal` may leave out."""

PATIENCE = 200
"""So many plies a temper has its way; then the table hurries on."""

SWEEPS = 0.006
"""So often all that anybody might try is put to both sides."""

PROBES = 2
WORDS = 0.4


class Duel:
    """One game on both sides. The engine plays twice: position by position, and as a run carried forward in place."""

    def __init__(self, random: Any, key: Any, players: Any) -> None:
        game = registry.find_game(key)
        assert game is not None
        self.random, self.game = random, game
        self.setup = draw_setup(random, self.game, players)
        self.table = lay_oracle_table(key, self.setup)
        self.position = self.game.start(self.setup)
        self.carried = run(self.game, self.position)
        self.reached: Counter[str] = Counter()
        self.last: Any = None
        still = {name: self.game.view(self.position, PUBLIC)[name] for name in STILL}
        assert still == still_view(self.table, self.setup.seats)

    def play(self, temper: Any, luck: Any) -> Any:
        """Play to the end, comparing all the way; what was reached."""
        for number in range(75 * PATIENCE):
            self.compare()
            if self.table.over:
                self.probe(set(), everything=True)
                break
            if number == PATIENCE:
                temper = temper if temper in tempers.PATIENT else "settle"
                luck = luck if luck in tempers.FRUITFUL else "harvest"
            everything = self.random.random() < SWEEPS
            plies = self.listed(everything)
            self.probe(set(plies), everything)
            self.put(self.next_ply(plies, temper, luck))
        assert self.table.over
        return self.reached

    def compare(self) -> None:
        """Everything that both sides can be asked about one moment."""
        viewer = self.random.choice((PUBLIC, *self.table.seats))
        seen = self.game.view(self.position, viewer)
        told = view(self.table, viewer)
        for name, fact in told.items():
            assert comparable(name, seen[name]) == fact, f"{name} after {self.last}"
        assert set(seen) - set(STILL) == set(told)
        assert set(self.game.to_act(self.position)) == told["to_act"]
        for seat in sorted(told["to_act"] - {oracle.CHANCE}):
            self.compare_silence(seat)
        assert self.game.turn(self.position) == told["turn"]
        score = self.game.score(self.position)
        assert {tally.seat: tally.total for tally in score.tallies} == told["points"]
        assert score.winners == ((told["winner"],) if told["winner"] else ())

    def compare_silence(self, seat: Any) -> None:
        """What silence stands for is allowed, and known for discards, Tarly and offers."""
        move = self.game.by_default(self.position, seat)
        assert move is None or oracle.allows(self.table, (seat, move)), f"{seat} silent: {move}"
        if self.table.agenda:
            assert move is not None or self.table.agenda[0][0] not in ("discard", "tarly")
        elif not self.table.to_place:
            assert move is not None or seat == self.table.mover

    def listed(self, everything: Any) -> Any:
        """What the engine lists: all of it is allowed, nothing twice. Of all the ways that dice fall a few will do."""
        plies = [tuple(ply) for ply in self.game.legal(self.position)]
        assert len(plies) == len(set(plies))
        all_of_them = everything or oracle.CHANCE not in oracle.to_act(self.table)
        for ply in plies if all_of_them else self.random.sample(plies, min(8, len(plies))):
            assert oracle.allows(self.table, ply), f"listed but not allowed: {ply}"
        return plies

    def next_ply(self, plies: Any, temper: Any, luck: Any) -> Any:
        """The ply to play: by chance as the engine deals it or bent, by players as they like."""
        if oracle.CHANCE in oracle.to_act(self.table):
            strokes = [(oracle.CHANCE, move) for move in tries.strokes_of_chance(self.random, self.table)]
            strokes = [ply for ply in strokes if oracle.allows(self.table, ply)]
            if luck == "fair" or not strokes or self.random.random() < tempers.FAIR:
                return tuple(self.game.deal(self.position, RandomDealer(self.random)))
            return tempers.LUCK[luck](self.random, self.table, strokes)
        return tempers.choose(self.random, plies + self.unlisted(), temper)

    def unlisted(self) -> Any:
        """Now and then, what somebody may do that no list holds."""
        if self.random.random() > WORDS:
            return []
        seat = self.random.choice(self.table.seats)
        plies = [(seat, move) for move in tries.words(self.random, self.table, seat)]
        return [ply for ply in plies if oracle.allows(self.table, ply)]

    def probe(self, plies: Any, everything: Any) -> None:
        """Put to both sides what may be right or wrong."""
        random, table = self.random, self.table
        due = sorted(oracle.to_act(table)) or list(table.seats)
        group = tries.strokes_of_chance if oracle.CHANCE in due else random.choice(tries.groups(table))
        attempts = tries.tries(random, table) if everything else list(group(random, table))
        for move in attempts if everything else random.sample(attempts, min(PROBES, len(attempts))):
            seat = random.choice(due) if random.random() < 0.9 else random.choice(tries.ANYBODY)
            self.ask((seat, move), plies)

    def ask(self, ply: Any, plies: Any) -> None:
        """Both take a ply, or both refuse it; what is taken is listed, where a list is complete."""
        verdict = self.game.judge(self.position, Ply(*ply))
        allowed = oracle.allows(self.table, ply)
        assert (verdict is None) == allowed, f"{ply}: engine {verdict}, oracle {allowed}"
        self.reached[f"{'takes' if allowed else 'refuses'} {type(ply[1]).__name__}"] += 1
        if verdict is not None:
            self.reached[verdict.rule.code] += 1
        elif not isinstance(ply[1], UNLISTED):
            assert ply in plies or self.comes_to_the_same(ply, plies), f"taken but not listed: {ply}"

    def comes_to_the_same(self, ply: Any, plies: Any) -> Any:
        """Whether a ply is another way to put one that is listed."""
        reached = self.game.apply(self.position, Ply(*ply))
        alike = [other for other in plies if other[0] == ply[0] and type(other[1]) is type(ply[1])]
        return any(self.game.apply(self.position, Ply(*other)) == reached for other in alike)

    def put(self, ply: Any) -> None:
        """Play a ply on both sides."""
        assert oracle.allows(self.table, ply), ply
        verdict = self.carried.advance(Ply(*ply))
        assert verdict is None, f"{ply}: {verdict}"
        self.last = ply
        self.position = self.game.apply(self.position, Ply(*ply))
        assert self.carried.turn == self.game.turn(self.position)
        if self.random.random() < SWEEPS:
            assert self.carried.position() == self.position
        before = snapshot(self.table)
        oracle.play(self.table, ply)
        self.reached.update((type(ply[1]).__name__, *events(before, ply, self.table)))


def comparable(name: Any, fact: Any) -> Any:
    """A fact of the engine's view in the oracle's form: what is asked of several has no order."""
    if name == "to_act":
        return set(fact)
    if name == "offers":
        return sorted(({**one, "to": sorted(one["to"])} for one in fact), key=lambda one: one["seat"])
    if name == "watch" and fact:
        before = {seat: {"hero": card["hero"], "side": card["side"]} for seat, card in fact["heroes"]["before"].items()}
        heroes = {"before": before, "display": fact["heroes"]["display"]}
        return {**{part: fact[part] for part in fact if part != "due"}, "heroes": heroes}
    return fact
