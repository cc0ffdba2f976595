"""What can be done while a throw waits for a round of the beacon: an offer is answered, as long as nobody knows it."""

from datetime import datetime, timedelta

from engine.chance import KeyedDealer
from engine.game import CHANCE
from engine.nomadi.moves import Take
from notation import write_moves
from pbem.mail.commands.command import CommandContext, decide
from pbem.mail.commands.submit_moves import Play
from pbem.tables.chance import random_moves
from pbem.verify.check_record import verify_text
from tests.second_verifier.patient_posts import REHEARSAL, Patient, SecondRehearsal
from tests.second_verifier.second_verifier import verify


def offered_with_the_last_die() -> tuple[Patient, str, str]:
    """A post at which the throw of a turn is awaited while an offer is open; who is asked, and the answer."""
    post = Patient("nomadi").begin()
    for number in range(3000):
        table = post.table
        if table.position is None:
            post.hear()  # the set-up waits for a round, too
            continue
        asked = [seat for seat in table.seats if table.game.by_default(table.position, seat) is not None]
        if table.rounds.round and table.due == (CHANCE,) and table.position.phase == "throwing" and asked:
            square = table.game.by_default(table.position, asked[0]).square
            return post, asked[0], write_moves(table.game, (Take(square),))
        if table.rounds.round:
            post.hear()
            continue
        # Nobody answers an offer: the player on turn plays on.
        seat = table.game.view(table.position, "public")["who"]
        post.do(seat, Play(random_moves(table, seat, KeyedDealer(f"{number}".encode()))))
    raise AssertionError("no offer was made with the last die of a turn")


def refusal(post: Patient, seat: str, text: str, now: datetime) -> str | None:
    post.now = now
    context = CommandContext(now, post.dealer, letter="d1" * 32, mark="e2" * 32, secret=b"x")
    decision = decide(post.table, seat, Play(text), context)
    return str(decision.refused.rule.code) if decision.refused is not None else None


def test_an_offer_is_answered_before_the_round_is_out_and_another_round_is_named() -> None:
    post, seat, answer = offered_with_the_last_die()
    named, out = post.table.rounds.round, datetime.fromisoformat(post.table.rounds.out)
    known = post.now
    assert refusal(post, seat, answer, out) == "PO-T2"
    assert refusal(post, seat, answer, out + timedelta(minutes=5)) == "PO-T2"
    assert refusal(post, seat, answer, known) is None
    post.do(seat, Play(answer))
    assert post.table.game.by_default(post.table.position, seat) is None
    assert post.table.rounds.round > named
    post.hear()
    assert post.table.due != (CHANCE,)
    text = post.text()
    found = verify_text(text, beacons={"rehearsal": REHEARSAL}.get)
    assert [finding.reason for verified in found for finding in verified.findings] == []
    assert verify(text, None, SecondRehearsal()) is None
