"""Scenes that bring about every kind of mail: one entry in SCENES each, with how the world comes to it.

A kind that no scene reaches makes `test_twins` fail and name it. Add what is missing to the scene that is nearest, or a
scene of its own. The viewer is the second seat. Others must not do what the rules reveal: then the worlds part.
"""

from datetime import timedelta
from functools import partial

from engine.game import Seat
from pbem.mail.reading import limits
from pbem.tables.cases import WantedRuling
from pbem.tables.table import AT_ONCE, FORCED, Table
from pbem.tables.take_back import TakeBack, find_take_back
from pbem.workflow import referee_acts
from pbem.workflow.beacon_rounds import apply_pulse, wanted_rounds
from pbem.workflow.handle_letter import BROKEN_HISTORY, TOO_LARGE, LetterOutcome
from pbem.workflow.open_game import Guest
from pbem.workflow.sender_checks import NO_TICKET
from tests.post.post_games import TABLE
from tests.post.secrets import mishaps, watchful
from tests.post.secrets.mishaps import bounce, damaged, forget_receipts
from tests.post.secrets.outputs import OBSERVER
from tests.post.secrets.turn_scenes import bargains, forced, lapses, pencils, victories
from tests.post.secrets.twin_worlds import SERVER, Scene, World
from tests.post.towns import readdress
from tests.second_verifier.patient_posts import REHEARSAL

SECRET_GAMES = ("nomadi", "brotherhood", "shy-well", "brotherhood-base")
QUICK_GAMES = ("nomadi", "shy-well", "brotherhood-base")
"""For scenes with many letters: in the other game it takes long until something is hidden."""
BARGAINS = ("brotherhood", "brotherhood-base")


def invited(world: World) -> None:
    """Before a game begins: the seed is hidden, one player declines, another is asked, and it is all called off."""
    first, last = world.others
    for words in ("help", "status", "rule PO-T3", "zone Europe/Warsaw", "vacation 2026-12-20 to 2026-12-22"):
        world.write(world.viewer, words)
    world.write(world.viewer, "resign", fate="refused")
    world.write(first, "accept")
    world.write(world.viewer, "accept")
    world.write(world.viewer, "press to all: I am looking forward to it")
    world.write(last, "decline")
    world.do(lambda each: each.expect(last, "Dora"))
    world.act(referee_acts.invite, TABLE, Guest(last, "Dora", "dora@players.test", world.language))
    world.act(referee_acts.call_off, TABLE, "too few of us")


def declined(world: World) -> None:
    """The viewer does not want to play, and is asked once more: by now another player is known for coming late."""
    world.write(world.viewer, "decline")
    world.do(mishaps.make_known)
    viewer = world.town.friends[world.viewer]
    world.act(referee_acts.invite, TABLE, Guest(world.viewer, viewer.name, viewer.address, world.language))


def asked(world: World) -> None:
    """During a game: everything that a player can ask for, and everything that is refused or asked back."""
    first, _ = world.others
    world.accept()
    world.play_until(world.hides)
    phrase = world.phrase(world.table.due[0])
    asked = (
        "help",
        "status",
        "board",
        "who is winning?",
        "what do I hold?",
        "history",
        "rule PO-V1",
        f"preview {phrase}",
        "proof",
        "fewer mails",
    )
    for words in (*asked, "can I undo that?", "zone Asia/Jerusalem"):
        world.write(world.viewer, words)
    world.write(world.viewer, "what is at 20?")
    for words in ("rules", "rule turn", "rule xyzzy", "prices"):
        world.write(world.viewer, words)
    for words in ("vacation 2026-12-20 to 2026-12-22", "vacation none", "plain on", "plain off", "plan none"):
        world.write(world.viewer, words)
    for words in ("plain off everywhere", "vacation 2026-12-27 to 2026-12-28 everywhere", "vacation none"):
        world.write(world.viewer, words)
    world.write(world.viewer, "agree undo", fate="refused")
    world.write(world.viewer, "vacation next week", fate="refused")
    world.write(world.viewer, f"{phrase}z", fate="refused")
    world.write(world.viewer, "and so on\n" * (limits.LINES + 1), fate="refused")
    world.write(first, "vacation 2026-12-24 to 2026-12-25")
    world.write(first, "vacation none")
    world.play_until(lambda table: world.viewer in table.due)
    world.write(world.viewer, _illegal(world), fate="refused")


def _illegal(world: World) -> str:
    """A move that can be read, and that the rules of the game do not allow now."""
    return {"shy-well": "well 3", "nomadi": "take"}.get(world.table.game.key, "keep 1")


def places(world: World) -> None:
    """A player asks what is on a square: one with a card, one where stones begin, one that is empty."""
    world.accept()
    world.play_until(world.hides)
    view = world.table.game.view(world.table.position, world.viewer)
    for square in (view["cards"][0], "M16", "A1"):
        world.write(world.viewer, f"what is on {square}?")


def letters(world: World) -> None:
    """Letters that come twice, from somebody else, from observers or not at all; and words between people."""
    first, last = world.others
    world.accept()
    world.play_until(world.hides)
    world.write(first, "press to all: what a night")
    world.write(first, f"press to {world.viewer}: be careful")
    world.write(world.viewer, "press to referee: is this right?")
    # What somebody mutes, or reports of words between others, is for nobody else to know.
    world.write(first, f"mute {last}", otherwise=f"unmute {last}")
    world.write(world.viewer, f"press to {last}: did you hear that?")
    world.write(world.viewer, f"report {first}: is this right?")
    world.write(world.viewer, f"mute {first}")
    world.write(world.viewer, "status")
    world.write(world.viewer, f"unmute {first}")
    world.write(world.viewer, "status")
    assert world.deliver(world.vouch(world.town.letters[-1])).fate == "duplicate"
    world.do(lambda each: forget_receipts(each))
    assert world.deliver(world.vouch(world.vouch(world.town.letters[-3]))).fate == "duplicate"
    letter = world.town.friends[world.viewer].answer("resign", world.town.hours.now())
    address = world.town.friends[world.viewer].address.encode()
    world.deliver(world.vouch(letter.replace(address, b"mallory@players.test")))
    world.wait(hours=25)
    world.deliver(world.vouch(letter.replace(b"resign", b"status"), "fail"))
    world.deliver(world.vouch(f"From: <{OBSERVER}>\r\nMessage-ID: <1@elsewhere.test>\r\n\r\nwell done\r\n".encode()))
    for _ in range(3):
        world.deliver(bounce(world, last))
    world.write(last, "status")
    world.play_until(lambda table: world.viewer in table.due)
    assert world.deliver(mishaps.to_bare_address(world, "status")).reason == NO_TICKET


def votes(world: World) -> None:
    """What needs consent: asked by others and by the viewer, agreed to, objected to, withdrawn, overtaken."""
    first, last = world.others
    world.accept()
    world.play_until(world.hides)
    world.write(first, "pause")
    world.write(world.viewer, "status")
    world.write(world.viewer, "object pause")
    world.write(last, "object pause")
    world.write(world.viewer, "pause")
    world.write(first, "agree pause")
    world.write(last, "resume")
    world.write(world.viewer, "agree resume")
    world.write(first, "draw")
    world.write(first, "object draw")
    world.write(world.viewer, "draw")
    world.write(world.viewer, "object draw")
    hiding = world.table.turn  # going back to this turn would leave nothing that is hidden
    world.play_until(lambda table: table.turn > hiding and {*table.due} & {*world.others})
    mover = world.move()
    world.play_until(lambda table: not isinstance(find_take_back(table, mover), TakeBack))
    world.write(mover, "undo")
    for seat in (*world.others, world.viewer):
        if seat != mover:
            world.write(seat, "agree undo")
    world.move()


def taken_back(world: World) -> None:
    """Somebody else and then the viewer take a move back, and want to do so again, when the others must be asked."""
    first, last = world.others
    world.accept()
    world.play_until(world.hides)
    for seats in ((first, last), (world.viewer,)):
        mover = _half_a_turn(world, seats)
        world.write(mover, "undo")
        assert world.table.votes == {}
        world.write(mover, "status")
        world.move(mover)
        world.write(mover, "undo")
        world.write(mover, "object undo")


def _half_a_turn(world: World, seats: tuple[Seat, ...]) -> Seat:
    """Let one of some seats make a move, alone and not a whole turn, until it can be taken back; who it is."""
    for _ in range(24):
        mover = next((seat for seat in world.table.due if seat in seats), None)
        if mover is None:
            world.move()
            continue
        world.write(mover, world.phrase(mover).split(",")[0])
        if isinstance(find_take_back(world.table, mover), TakeBack):
            return mover
    raise AssertionError("nothing can be taken back")


def cases(world: World) -> None:
    """The referee is called, looks closer, rules and closes; the post is down for a day."""
    first, last = world.others
    world.accept()
    world.play_until(lambda table: world.hides(table) and table.turn > 1)
    world.sleep(hours=30)
    world.write(world.viewer, "appeal what is it that they have there")
    world.act(referee_acts.warrant, TABLE, 1, first, "to see it")
    world.act(referee_acts.rule, TABLE, 1, WantedRuling("dismiss", "all is well"))
    world.act(referee_acts.close, TABLE, 1)
    world.write(last, "appeal and what is that")
    world.act(referee_acts.rule, TABLE, 2, WantedRuling("roll-back", "played too soon"))
    world.act(referee_acts.close, TABLE, 2)
    world.act(referee_acts.pause, TABLE, "a storm")
    world.act(referee_acts.resume, TABLE, "a storm")


def days(world: World) -> None:
    """Time passes: a summary a day, reminders, and a turn that nobody plays in time."""
    world.accept()
    world.play_until(world.hides)
    world.write(world.viewer, "notify daily 06:00\ncalendar on")
    world.write(world.others[0], "vacation 2026-12-24 to 2026-12-25")
    world.write(world.others[0], "press to all: good night")
    world.wait(hours=26)
    world.play_until(lambda table: world.viewer in table.due)
    world.wait(hours=38)


def late(world: World) -> None:
    """The viewer lets the time pass, and the table's terms say what follows."""
    world.accept()
    world.play_until(lambda table: world.hides(table) and table.due == (world.viewer,))
    world.wait(hours=16)


def excused(world: World) -> None:
    """Two players let the time pass; each asks the others not to count it; then they agree on other terms."""
    first, last = world.others
    world.accept()
    for seat in (first, world.viewer):
        world.play_until(partial(_hides_from, world, seat))
        world.wait(hours=16)
    world.write(world.viewer, "excuse")
    world.write(first, "agree excuse")
    world.write(first, "excuse")
    world.write(world.viewer, "agree excuse")
    world.act(referee_acts.excuse, TABLE, last, None, "a storm")
    world.write(world.viewer, "pace 2d")
    world.write(first, "agree terms")
    world.write(first, "silence wait")
    world.write(world.viewer, "agree terms")
    world.act(referee_acts.change_terms, TABLE, ["grace 6h", "rest fri sat"], "a storm")


def _hides_from(world: World, seat: Seat, table: Table) -> bool:
    """Whether something is hidden and a seat is to move."""
    return world.hides(table) and seat in table.due


def late_and_away(world: World) -> None:
    """The viewer wants one mail a day and lets the time pass; somebody else is away, so that no turn follows."""
    first, _ = world.others
    world.accept()
    world.play_until(lambda table: world.hides(table) and {world.viewer, first} <= {*table.due})
    world.write(world.viewer, "notify daily")
    world.write(first, "vacation 2026-11-16 to 2026-11-20")
    world.wait(hours=16)


def seats(world: World) -> None:
    """A player leaves, and somebody else takes the seat; then the viewer leaves."""
    first, _ = world.others
    world.accept()
    world.play_until(world.hides)
    for seat in (first, world.viewer):
        world.write(seat, "substitute")
        world.write(seat, "substitute none")
    world.write(first, "resign")
    world.do(lambda each: each.expect(first, "Dora"))
    ruling = WantedRuling("substitute", "welcome", seat=first, name="Dora")
    world.act(referee_acts.open_case, TABLE, None, "a seat is free")
    world.act(referee_acts.rule, TABLE, 1, ruling, Guest(first, "Dora", "dora@players.test", world.language))
    world.act(referee_acts.close, TABLE, 1)
    world.write(world.viewer, "resign")


def plans(world: World) -> None:
    """Turns planned ahead: one is played, one cannot be."""
    world.accept()
    world.write(world.viewer, "go\n\nplan wait")
    for seat in world.others:
        world.write(seat, "go")
    world.write(world.viewer, "plan well 3")
    for seat in world.others:
        world.write(seat, "wait")


def rounds(world: World) -> None:
    """Draws wait for the public beacon, before the game and in it."""
    world.accept()
    _hear(world)
    for seat in world.table.seats:
        world.write(seat, "go")
    _hear(world)


def _hear(world: World) -> None:
    """Let time pass until a round is out, and let it be heard."""
    (wanted,) = wanted_rounds(world.town.context)
    world.wait(minutes=30)
    world.act(apply_pulse, REHEARSAL.pulse(wanted.round))


def ended(world: World) -> None:
    """A game ends, and all that was dealt in it is opened; what others said and planned in private stays hidden."""
    first, last = world.others
    world.accept()
    world.write(first, f"press to {last}: let me win", otherwise=f"press to {last}: I shall lose")
    world.write(first, "plain on", otherwise="plain off")
    world.move()
    world.write(first, "draw")
    world.write(last, "agree draw")
    world.write(world.viewer, "agree draw")
    world.write(world.viewer, "status")


def held(world: World) -> None:
    """The history of a game is damaged, and everybody is told that it stands still."""
    world.accept()
    world.play_until(world.hides)

    first, second = mishaps.write(world, "status"), mishaps.write(world, "board")

    def come(each: World) -> LetterOutcome:
        letters = [readdress(letter, each.town) for letter in (first, second)]
        with damaged(each):
            return [each.town.deliver(letter) for letter in letters][-1]

    outcome = world.do(come)
    assert outcome is not None
    assert outcome.reason == BROKEN_HISTORY


def aside(world: World) -> None:
    """Letters that the post cannot read or handle; their writer hears of one in an hour."""
    world.accept()
    world.play_until(world.hides)
    assert world.deliver(mishaps.write(world, "status") + b"\0").reason == "odd-bytes"
    world.wait(hours=1)
    letter = mishaps.write(world, "status")
    world.do(lambda each: mishaps.fail_on(each, letter))
    world.wait(hours=1)
    assert world.deliver(mishaps.too_large(mishaps.write(world, "status"))).reason == TOO_LARGE


def upheavals(world: World) -> None:
    """A letter shows that the history of the game is older than it was; it is restored; the post gets a new key."""
    world.accept()
    world.play_until(world.hides)
    letter = mishaps.write(world, "resign")
    outcome = world.do(lambda each: each.town.deliver(mishaps.from_lost_history(each, letter)))
    assert outcome is not None
    assert outcome.fate == "waiting"
    world.do(mishaps.restore)
    world.move()
    world.do(mishaps.change_key)


def _soon(hours: int, silence: str = "wait") -> tuple[tuple[str, object], ...]:
    """Terms on which nobody waits long."""
    reminders, grace = (timedelta(hours=6),), timedelta(hours=1)
    times = (("time.per_turn", timedelta(hours=hours)), ("time.reminders", reminders), ("time.grace", grace))
    return (*times, ("time.silence", silence))


SCENES = (
    Scene("invited", invited, SECRET_GAMES, seeded=True),
    Scene("declined", declined, SECRET_GAMES, seeded=True),
    Scene("asked", asked, SECRET_GAMES),
    Scene("letters", letters, SECRET_GAMES, settings=(("post.authserv_id", SERVER),)),
    Scene("votes", votes, QUICK_GAMES),
    Scene("cases", cases, QUICK_GAMES),
    Scene("days", days, SECRET_GAMES, settings=_soon(36)),
    Scene("late and played for", late, settings=_soon(12, "play")),
    Scene("late and not next", late_and_away, settings=_soon(12, "play")),
    Scene("excused", excused, settings=_soon(12, "play")),
    Scene("late and out", late, settings=_soon(12, "forfeit")),
    Scene("seats", seats, settings=_soon(12, "substitute")),
    Scene("lent", mishaps.lent),
    Scene("plans", plans),
    Scene("bargains", bargains, BARGAINS),
    Scene("lapses", lapses, BARGAINS),
    Scene("rounds", rounds, beacon=REHEARSAL),
    Scene("ended", ended, SECRET_GAMES),
    Scene("held", held),
    Scene("aside", aside),
    Scene("pencils", pencils),
    Scene("upheavals", upheavals),
    Scene("taken back", taken_back, QUICK_GAMES),
    Scene("forced", forced, BARGAINS, terms=((FORCED, AT_ONCE),)),
    Scene("victories", victories, BARGAINS, terms=((FORCED, AT_ONCE),), favour=watchful.grant_points),
    Scene("places", places, ("nomadi",)),
)
