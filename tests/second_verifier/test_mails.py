"""Mails, receipts, statements and the log of games of the second form: lies are told from histories that were lost."""

import base64
import copy
import json
import textwrap
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.second_verifier.second_author import Author
from tests.second_verifier.second_beacon import check_rounds, first_round
from tests.second_verifier.second_draws import places
from tests.second_verifier.second_events import Event
from tests.second_verifier.second_mailbox import contradicted_lines, contradictions, findings, forks, log_findings
from tests.second_verifier.second_receipts import contradicted_receipt
from tests.second_verifier.second_scribe import POST
from tests.second_verifier.second_signing import short_name, tree_root
from tests.second_verifier.second_statements import contradicted_statements, statement_findings
from tests.second_verifier.second_verifier import check
from tests.second_verifier.second_writing import RecordError, canon, sha

UNTIL = "until 2026-11-16T14:30:00Z"
STRANGER = 3
"""The place of a key that no record names."""


class Post:
    """A table that is played for a while; whoever asks gets its mails."""

    def __init__(self, author: Any) -> None:
        self.author, self.events = author, check(author.text())[0]
        self.game = author.game

    def sign(self, lines: Any, place: Any) -> Any:
        """Lines with the short name of a key and its signature."""
        key = bytes.fromhex(self.author.scribe.public(place))
        lines = [*lines, f"key {short_name(POST, key).hex()}"]
        said = "".join(f"{line}\n" for line in lines).encode()
        signed = base64.b64encode(self.author.scribe.sign(key.hex(), said)).decode()
        return [*lines, f"signature {signed[:44]} {signed[44:]}"]

    def receipt(self, turn: Any, outcome: Any, *more: Any, key: Any = 0, form: Any = 2, after: Any = None) -> Any:
        """What the post answers the letter of a turn: as it was played, if nothing else is said."""
        before, after = self.events[turn.seq - 2], after or turn
        lines = [
            *(f"pbm-receipt-{form}", f"post {POST}", "number 7", f"game {self.game}", f"seat {turn.data['seat']}"),
            *(f"letter {turn.data['letter']}", f"mark {'ab' * 32}", "received 2026-11-16T12:00:00Z"),
            *(f"outcome {outcome}", *more),
            *(f"before {before.seq} {before.hash}", f"after {after.seq} {after.hash}"),
        ]
        return self.sign(lines, key)

    def mail(self, event: Any, *lines: Any, checkpoint: Any = None) -> Any:
        """A mail that prints an event as its head, and these lines behind bars."""
        headers = [f"X-Caravan-Head: {self.game} {event.seq} {event.hash}"]
        if checkpoint:
            headers.append(f"X-Caravan-Checkpoint: {' '.join(checkpoint)}")
        said = [wrapped for line in lines for wrapped in textwrap.wrap(line, 70, subsequent_indent="  ") or [""]]
        text = [*headers, "Content-Type: text/plain; charset=utf-8", "", *(f"| {line}" for line in said), ""]
        return "\n".join(text).encode()

    def turns(self) -> Any:
        return [event for event in self.events if event.kind == "played" and event.data["by"] == "player"]


def played(number: Any = 4, moves: Any = 14) -> Any:
    """A table with so many moves behind it and nothing else."""
    author = Author(number)
    author.fill(calls_off=False)
    play(author, moves)
    return author


def play(author: Any, moves: Any) -> None:
    for _ in range(moves):
        author.move(*author.moves.pop(0))


@pytest.fixture(scope="module")
def post() -> Any:
    return Post(played())


def said_of(turn: Any) -> Any:
    return f"played {turn.data['phrase']}"


def test_honest_receipts_of_every_outcome_are_in_order(post: Any) -> None:
    turn, before = post.turns()[-1], post.events[post.turns()[-1].seq - 2]
    mails = [
        post.mail(turn, *post.receipt(turn, "played", said_of(turn))),
        post.mail(before, *post.receipt(turn, "done", after=before)),
        post.mail(before, *post.receipt(turn, "asked", after=before)),
        post.mail(before, *post.receipt(turn, "asked", "rule TD-L2", after=before)),
        post.mail(before, *post.receipt(turn, "refused", "rule TD-L2", after=before)),
        post.mail(
            before, *post.receipt(turn, "pencilled", said_of(turn).replace("played", "pencilled"), UNTIL, after=before)
        ),
    ]
    assert not list(findings(post.game, post.events, mails))


@pytest.mark.parametrize(
    ("outcome", "more"),
    [
        ("asked", []),
        ("refused", ["rule TD-L2"]),
        ("done", []),
        ("pencilled", ["pencilled lilac F4", UNTIL]),
        ("pencilled", ["pencilled lilac F4"]),
        ("pencilled", [UNTIL]),
        ("pencilled", ["pencilled lilac F4", "until soon"]),
        ("pencilled", [UNTIL, "pencilled lilac F4"]),
        ("applied", ["played lilac F4"]),
        ("played", []),
        ("played", ["played somewhere else"]),
        ("refused", []),
        ("done", ["rule TD-L2"]),
    ],
)
def test_a_receipt_that_the_record_does_not_keep_or_that_is_broken(post: Any, outcome: Any, more: Any) -> None:
    turn = post.turns()[-1]
    assert (
        len(list(contradictions(post.game, post.events, [post.mail(turn, *post.receipt(turn, outcome, *more))]))) == 1
    )


def test_a_pencilled_turn_may_be_played_later_by_the_same_letter(post: Any) -> None:
    turn = post.turns()[-1]
    receipt = post.receipt(turn, "pencilled", "pencilled lilac F4", UNTIL, after=post.events[turn.seq - 2])
    assert not list(contradicted_receipt(post.events, receipt))


def test_a_receipt_has_the_form_of_its_game(post: Any) -> None:
    turn = post.turns()[-1]
    old = post.receipt(turn, "applied", said_of(turn), form=1)
    new = post.receipt(turn, "played", said_of(turn))
    first = [event._replace(form=1) for event in post.events]
    assert [bool(list(contradicted_receipt(post.events, each))) for each in (old, new)] == [True, False]
    assert [bool(list(contradicted_receipt(first, each))) for each in (old, new)] == [False, True]


def test_a_receipt_is_signed_with_the_key_in_force_at_its_last_event() -> None:
    author = played(moves=6)
    author.rekey(vouched=True)
    play(author, 6)
    post, change = Post(author), len(author.events) - 6
    early = next(turn for turn in post.turns() if turn.seq < change)
    late = next(turn for turn in post.turns() if turn.seq > change)
    for turn, right in ((early, 0), (late, 1)):
        for key in (0, 1, STRANGER):
            receipt = post.receipt(turn, "played", said_of(turn), key=key)
            assert bool(list(contradicted_receipt(post.events, receipt))) == (key != right)


@pytest.mark.parametrize("key", [0, 1, STRANGER])
def test_a_checkpoint_is_signed_with_any_key_of_the_post(key: Any) -> None:
    author = played(moves=3)
    author.rekey(vouched=True)
    post = Post(author)
    mail = post.mail(post.events[-1], checkpoint=checkpoint(author, [b"one"], key))
    assert bool(list(contradictions(post.game, post.events, [mail]))) == (key == STRANGER)


def checkpoint(author: Any, leaves: Any, key: Any = 0) -> Any:
    """Origin, size, root and signature of a log."""
    public, root = author.scribe.public(key), base64.b64encode(tree_root(leaves)).decode()
    signed = author.scribe.sign(public, f"{POST}\n{len(leaves)}\n{root}\n".encode())
    return POST, str(len(leaves)), root, base64.b64encode(short_name(POST, bytes.fromhex(public)) + signed).decode()


# -- Histories that were lost


@pytest.fixture(scope="module")
def two() -> Any:
    """One table in two histories: the lost one, and the one that goes on with a restored copy and another key."""
    kept = played(moves=8)
    lost = copy.deepcopy(kept)
    play(lost, 8)
    kept.add("restored", {"by": "operator"}, {"reason": "the disk"})
    place = len(kept.events)
    kept.rekey(vouched=True)
    play(kept, 4)
    return Post(lost), Post(kept), place


def test_a_mail_of_a_lost_history_shows_where_the_two_part(two: Any) -> None:
    lost, kept, place = two
    for event in lost.events:
        mails = [lost.mail(event)]
        assert not list(contradictions(kept.game, kept.events, mails))
        told = list(forks(kept.game, kept.events, mails))
        assert len(told) == (event.seq >= place)
        assert all(f"part at {place}" in reason for reason in told)


def test_a_head_that_is_another_before_the_restored_copy_is_a_lie(two: Any) -> None:
    _, kept, place = two
    changed = kept.events[place - 2]._replace(hash="00" * 32)
    assert len(list(contradictions(kept.game, kept.events, [kept.mail(changed)]))) == 1


def test_without_a_restored_copy_two_histories_are_a_lie() -> None:
    kept = played(moves=8)
    lost = copy.deepcopy(kept)
    play(lost, 4)
    kept.chance.seed("other")
    play(kept, 4)
    lost, kept = Post(lost), Post(kept)
    assert list(contradictions(kept.game, kept.events, [lost.mail(lost.events[-1])]))


def test_a_receipt_of_a_lost_history_is_signed_all_the_same(two: Any) -> None:
    lost, kept, _ = two
    turn = lost.turns()[-1]
    for key, is_lie in ((0, False), (STRANGER, True)):
        receipt = lost.receipt(turn, "played", said_of(turn), key=key)
        found = list(contradicted_receipt(kept.events, receipt))
        assert found
        assert [finding.is_fork for finding in found] == [not is_lie] * len(found)


def test_what_a_lost_history_opened_is_no_lie(two: Any) -> None:
    lost, kept, place = two
    line = f"opened {kept.game} {place + 1} 0 {'ab' * 32} card fennec 6"
    assert not list(contradictions(kept.game, kept.events, [lost.mail(lost.events[-1], line)]))
    assert list(contradictions(kept.game, kept.events, [kept.mail(kept.events[-1], line)]))


def test_a_statement_about_a_lost_event_is_told_and_no_lie(two: Any) -> None:
    lost, kept, place = two
    for post, seq, wrong, lies in ((lost, place + 1, 0, 0), (kept, place + 3, 0, 0), (kept, place + 3, 1, 1)):
        event, proof = post.events[seq - 1], post.events[0].data["proof"]
        epoch, links, link = list(places(post.game, post.events))[seq - 1]
        lines = ["pbm-statement-1", f"post {POST}", f"game {post.game}", f"event {seq} {event.hash}"]
        lines += [f"seed {proof['seed']}", f"place {epoch - wrong} {links} {link}", "follows yes"]
        text = "\n".join(post.sign(lines, 0 if post is lost else 1))
        assert len(list(contradicted_statements(kept.game, kept.events, text))) == lies
        assert len(list(statement_findings(kept.game, kept.events, text))) == lies + (post is lost)


def test_a_statement_is_signed_with_the_key_of_its_event_or_a_later_one() -> None:
    author = played(moves=4)
    early = len(author.events)
    author.rekey(vouched=True)
    play(author, 4)
    post = Post(author)
    bound = list(places(post.game, post.events))
    last = len(post.events)
    cases = [(early, 0, True), (early, 1, True), (early, STRANGER, False), (last, 0, False), (last, 1, True)]
    for seq, key, is_good in cases:
        event = post.events[seq - 1]
        lines = ["pbm-statement-1", f"post {POST}", f"game {post.game}", f"event {seq} {event.hash}"]
        lines += [f"seed {post.events[0].data['proof']['seed']}", "place {} {} {}".format(*bound[seq - 1])]
        text = "\n".join(post.sign([*lines, "follows yes"], key))
        assert bool(list(contradicted_statements(post.game, post.events, text))) != is_good, (seq, key)


def test_checkpoints_of_a_lost_log_show_where_it_parts(two: Any) -> None:
    _, kept, place = two
    author = kept.author
    old = [line(kind="opened", game=kept.game, seq=1, head=kept.events[0].hash)]
    lost = [*old, line(kind="over", game="another", seq=9, head="ab" * 32)]
    restored = line(kind="restored", game=kept.game, seq=place, head=kept.events[place - 1].hash)
    mails = [kept.mail(kept.events[0], checkpoint=checkpoint(author, [each.encode() for each in lost]))]
    assert [finding.is_fork for finding in log_findings([*old, restored], mails)] == [True]
    assert [finding.is_fork for finding in log_findings([*old, old[0]], mails)] == [False]
    early = [kept.mail(kept.events[0], checkpoint=checkpoint(author, [b"{}"]))]
    assert [finding.is_fork for finding in log_findings([*old, restored], early)] == [False]


def line(**said: Any) -> Any:
    """A line of the log of all games."""
    return canon({"at": "2026-11-16T12:00:00Z", **said}).decode()


def test_lines_of_the_log_are_held_against_the_record(two: Any) -> None:
    _, kept, place = two
    scribe, new = kept.author.scribe, kept.author.scribe.public(2)
    vouched = scribe.sign(scribe.public(1), canon(["pbm-rekeyed-1", POST, "", 0, new])).hex()
    foreign = scribe.sign(scribe.public(STRANGER), canon(["pbm-rekeyed-1", POST, "", 0, new])).hex()
    restored = {"kind": "restored", "game": kept.game, "seq": place, "head": kept.events[place - 1].hash}
    honest = [line(**restored), line(kind="key", key=new, signature=vouched), line(kind="key", key=new, signature="")]
    assert not list(contradicted_lines(POST, kept.game, kept.events, honest))
    for said in (
        {**restored, "seq": place - 1},
        {**restored, "head": "00" * 32},
        {**restored, "reason": "the disk"},
        {"kind": "key", "key": new, "signature": foreign},
        {"kind": "key", "key": new, "signature": vouched, "game": kept.game},
    ):
        assert len(list(contradicted_lines(POST, kept.game, kept.events, [line(**said)]))) == 1
    assert list(contradicted_lines(POST, kept.game, kept.events, [json.dumps(json.loads(honest[0]))]))


# -- Rounds of a beacon


KEEPER = Ed25519PrivateKey.from_private_bytes(b"r" * 32)
BEACON: Any = SimpleNamespace(name="rehearsal", epoch=1767225600, period=3, said=lambda number, signature: True)


def rounds(*kinds: Any) -> Any:
    """Events of level 3 in this order, all at the moments that they must have."""
    opened = {"proof": {"level": 3, "beacon": "rehearsal", "form": 2}}
    number = first_round(BEACON, "2026-11-16T12:00:00Z")
    data = {
        "opened": opened,
        "awaited": {"round": number, "out": "2026-11-16T12:10:00Z", "seat": "*"},
        "pulse": {"round": number, "signature": KEEPER.sign(sha(b"")).hex()},
    }
    late = kinds.index("pulse")
    return [
        Event(seq, kind, f"2026-11-16T12:{11 * (seq > late):02}:00Z", data.get(kind, {}), "", seq, None, (), ())
        for seq, kind in enumerate(kinds, 1)
    ]


def test_a_restored_copy_makes_the_named_round_void() -> None:
    check_rounds(rounds("opened", "awaited", "press", "pulse", "started"), BEACON)
    with pytest.raises(RecordError, match="was not awaited"):
        check_rounds(rounds("opened", "awaited", "restored", "pulse", "started"), BEACON)


def test_a_note_leaves_no_gap_between_a_round_and_its_draws() -> None:
    check_rounds(rounds("opened", "awaited", "note.tea", "pulse", "note.tea", "started"), BEACON)
    with pytest.raises(RecordError, match="before its round was out"):
        check_rounds(rounds("opened", "awaited", "pulse", "press", "started"), BEACON)
