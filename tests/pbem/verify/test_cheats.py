"""Twelve operators who cheat, each as it was done elsewhere: every one is found, by the record or by mailboxes.

Each runs the post: knows the secrets, holds the key, and rewrites whatever he needs, with every hash in order.
"""

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.events.chain import Draft
from pbem.events.codec import encode
from pbem.proof.draws import commit_blind_key, commit_seed
from pbem.proof.receipts import read_receipts, sign_receipt
from pbem.verify.check_log import check_log
from pbem.verify.check_record import Checker, verify_text
from pbem.verify.mailboxes import MailEvidence, read_mailboxes
from tests.pbem.verify.conftest import Town


def reasons(text: str, *boxes: Path, key: bytes | None = None) -> list[str]:
    """What is wrong with a record, by itself and by some mailboxes."""
    checker = Checker(key, read_mailboxes(boxes) if boxes else None)
    return [finding.reason for verified in checker.check(text) for finding in verified.findings]


def test_the_honest_post_is_believed_by_everybody(town: Town, tmp_path: Path) -> None:
    boxes = [town.mbox(tmp_path, seat) for seat in town.seats]
    checker = Checker(town.public, read_mailboxes(boxes))
    (verified,) = checker.check(town.text())
    assert verified.findings == ()
    assert list(check_log(town.log, checker.evidence, checker.proofs)) == []
    evidence = checker.evidence
    assert len(evidence.receipts) == town.written
    assert {signed.receipt.outcome for signed in evidence.receipts} == {"played", "done", "asked"}
    assert evidence.openings
    assert len(evidence.promises) == 2 * len(town.seats)


def replay(operator: Any, draft: Any, **proof: Any) -> Any:
    """The same game from the acceptances on, with other secrets or other entropy, played to its end."""
    return operator.rewrite(
        lambda event: (
            draft(event, **({"proof": {**encode(event.payload)["proof"], **proof}} if event.seq == 1 else {}))
            if event.kind in ("opened", "accepted")
            else None
        )
    )


def start_and_play(operator: Any) -> Any:
    """Let a game begin whose players have accepted, and play it by chance."""
    from pbem.tables.chance import GameDealer
    from pbem.tables.consequences import add_consequences
    from pbem.tables.fold import fold
    from pbem.tables.play import start

    dealer, table = operator.dealer or GameDealer(operator.seed), fold(operator.events)
    first = start(table, dealer)
    assert first is not None
    operator.apply_events(add_consequences(table, [first], dealer))
    return operator.play()


def test_1_a_seed_that_was_picked_after_the_answers(town: Town, draft: Callable[..., Any], tmp_path: Path) -> None:
    forged = town.operator()
    forged.seed = b"better".ljust(32)
    forged = replay(forged, draft, seed=commit_seed(forged.table, forged.seed))
    text = start_and_play(forged).text()
    assert reasons(text) == [], "by itself this history is perfect"
    found = reasons(text, town.mbox(tmp_path, "fennec"))
    assert any("promised another seed: it was changed after the answers" in reason for reason in found)


def test_1b_a_seed_other_than_the_promised_one(town: Town, draft: Callable[..., Any]) -> None:
    forged = replay(town.operator(), draft)
    forged.seed = b"better".ljust(32)
    assert any("promised before anybody accepted" in reason for reason in reasons(start_and_play(forged).text()))


def test_2_the_post_stirs_in_for_whoever_left_it_out(town: Town, draft: Callable[..., Any], tmp_path: Path) -> None:
    forged = town.operator().rewrite(
        lambda event: (
            draft(event, **({"entropy_sha256": "77" * 32} if encode(event.payload).get("seat") == "hare" else {}))
            if event.kind in ("opened", "accepted")
            else None
        )
    )
    text = start_and_play(forged).text()
    assert reasons(text) == []
    assert any("hare stirred something else" in reason for reason in reasons(text, town.mbox(tmp_path, "hare")))


def test_3_a_commitment_that_is_shown_only_after_the_bet(
    operator: Callable[..., Any], draft: Callable[..., Draft]
) -> None:
    honest = operator().begin().play()
    late = honest.rewrite(
        lambda event: (
            draft(event, proof={**encode(event.payload)["proof"], "seed": ""}) if event.seq == 1 else draft(event)
        )
    )
    assert any("promised before anybody accepted" in reason for reason in reasons(late.text()))


def test_4_one_seed_for_two_games(operator: Callable[..., Any]) -> None:
    checker = Checker()
    first, second = operator().begin().play(), operator(table="sirocco-8").begin().play()
    assert [verified.is_good for verified in checker.check(first.text())] == [True]
    (again,) = checker.check(second.text())
    assert "the seed served sirocco-7 already" in again.findings[0].reason


def test_5_a_round_that_was_lost_is_silently_void(town: Town, draft: Callable[..., Any], tmp_path: Path) -> None:
    kept = [event.seq for event in town.events if event.kind == "dealt"][-2]
    forged = town.operator().rewrite(lambda event: draft(event) if event.seq <= kept else None)
    text = forged.play().text()
    assert reasons(text) == [], "a history that never was, and hangs together"
    assert any("there were two histories" in reason for reason in reasons(text, town.mbox(tmp_path, "hare")))


def test_6_games_that_are_never_opened(town: Town, operator: Callable[..., Any], tmp_path: Path) -> None:
    text = town.text()
    closed = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("[%seed", "[%blind")))
    assert any("its secrets are not opened" in reason for reason in reasons(closed))
    evidence = read_mailboxes([town.mbox(tmp_path, "fennec")])
    without = [line for line in town.log if json.loads(line)["game"] != town.row.id]
    assert any("or never" in finding.reason for finding in check_log(without, evidence, []))
    never_ended = [line for line in town.log if json.loads(line)["kind"] == "opened"]
    assert any("cut off" in finding.reason for finding in check_log(never_ended, evidence, []))
    other = json.loads(town.log[-1]) | {"seed": "00" * 32}
    spoiled = [*town.log[:-1], json.dumps(other)]
    assert any("other secrets" in finding.reason for finding in check_log(spoiled, evidence, []))


class Crooked:
    """A dealer who is none."""

    def __init__(self, seed: bytes) -> None:
        self.seed, self.picks = seed, 0


class ByteModulo(Crooked):
    """Takes a byte modulo six: 43 chances against 42."""

    def pick(self, count: int, purpose: str) -> int:
        self.picks += 1
        return hashlib.sha256(self.seed + bytes([self.picks])).digest()[0] % count


class Glued(Crooked):
    """Glues what it hashes together, so that draw 1 of ply 12 is draw 11 of ply 2."""

    def pick(self, count: int, purpose: str) -> int:
        self.picks += 1
        said = self.seed + f"sirocco-7{self.picks}{purpose}".encode()
        return int.from_bytes(hashlib.sha256(said).digest()[:8], "big") % count


class Twister(Crooked):
    """Asks a Mersenne Twister that was seeded with a sum."""

    def pick(self, count: int, purpose: str) -> int:
        self.picks += 1
        return random.Random(sum(self.seed) + self.picks).randrange(count)


@pytest.mark.parametrize("crook", [ByteModulo, Glued, Twister], ids=["7 modulo", "8 glued", "9 twister"])
def test_7_8_9_draws_by_other_means_than_the_promised_one(operator: Callable[..., Any], crook: type[Crooked]) -> None:
    played = operator(dealer=crook(b"s" * 32)).begin().play()
    found = reasons(played.text())
    assert any("is not what the seed draws here" in reason for reason in found)


def test_8b_no_two_places_ask_the_same_question() -> None:
    from engine.digest import canonical
    from pbem.proof.draws import DrawPlace, draw_question

    asked = {
        canonical(draw_question(DrawPlace(game, epoch, plies, "00"), number, purpose))
        for game in ("a", "a1", "1")
        for epoch in (0, 1, 11)
        for plies in (1, 11, 111)
        for number in (1, 11, 111)
        for purpose in ("", "1", "a")
    }
    assert len(asked) == 3**5


def test_10_look_alikes_in_what_a_player_stirred_in(town: Town, draft: Callable[..., Any], tmp_path: Path) -> None:
    alike = hashlib.sha256("the quick br\N{CYRILLIC SMALL LETTER O}wn fennec".encode()).hexdigest()
    forged = town.operator().rewrite(
        lambda event: (
            draft(event, **({"entropy_sha256": alike} if encode(event.payload).get("seat") == "fennec" else {}))
            if event.kind in ("opened", "accepted")
            else None
        )
    )
    text = start_and_play(forged).text()
    assert reasons(text) == []
    assert any("fennec stirred something else" in reason for reason in reasons(text, town.mbox(tmp_path, "fennec")))


@pytest.mark.parametrize("seat", ["blue", "yellow"])
def test_10b_a_game_in_which_offers_are_accepted_too(
    settle: Callable[..., Any], draft: Callable[..., Draft], tmp_path: Path, seat: str
) -> None:
    town = settle(tmp_path, key="nomadi")
    assert town.seats == ("blue", "yellow")
    town.write("blue", "accept forty camels and a well")
    town.write("yellow", "accept")
    honest = town.text()
    assert reasons(honest, town.mbox(tmp_path, seat)) == []
    forged = town.operator().rewrite(
        lambda event: (
            draft(event, **({"entropy_sha256": "77" * 32} if encode(event.payload).get("seat") == seat else {}))
            if event.kind in ("opened", "accepted")
            else None
        )
    )
    text = forged.text()
    assert any(f"{seat} stirred something else" in reason for reason in reasons(text, town.mbox(tmp_path, seat)))


def test_11_a_record_that_vouches_for_itself(operator: Callable[..., Any]) -> None:
    played = operator(dealer=ByteModulo(b"s" * 32)).begin().play()
    vouched = played.text() + "[%verified by the house, all draws fair]\n"
    (verified,) = verify_text(vouched)
    assert not verified.is_good
    honest = operator().begin().play().text() + "[%verified by the house]\n"
    assert not verify_text(honest)[0].is_good, "nobody's word counts, not even where it is true"


def test_12_a_game_that_was_restarted_for_new_dice(town: Town, draft: Callable[..., Any], tmp_path: Path) -> None:
    forged = town.operator()
    forged.seed, forged.blind = b"another".ljust(32), b"blind".ljust(32)
    secrets = {
        "seed": commit_seed(forged.table, forged.seed),
        "blind": commit_blind_key(forged.table, forged.blind),
    }
    second = start_and_play(replay(forged, draft, **secrets))
    assert reasons(second.text()) == []
    found = reasons(second.text(), town.mbox(tmp_path, "fennec"), key=town.public)
    assert any("there were two histories" in reason for reason in found)


def test_12b_two_logs_of_one_length_convict_the_post(town: Town, tmp_path: Path) -> None:
    from pbem.proof.public_log import Tree, sign_tree

    evidence: MailEvidence = read_mailboxes([town.mbox(tmp_path, "fennec")])
    assert town.context.signer is not None
    evidence.checkpoints[sign_tree(Tree().grow(b"another game"), town.context.signer)] = {town.row.id}
    (verified,) = Checker(town.public, evidence).check(town.text())
    assert any("the post told two stories" in finding.reason for finding in verified.findings)


def test_a_cut_tail_is_found_when_a_later_receipt_is_at_hand(
    town: Town, draft: Callable[..., Any], tmp_path: Path
) -> None:
    cut = town.operator().rewrite(lambda event: draft(event) if event.seq <= len(town.events) - 4 else None)
    by_hand = cut.text()
    box = town.mbox(tmp_path, "hare")
    assert verify_text(by_hand)[0].is_good
    assert any("its end is cut off" in reason or "two histories" in reason for reason in reasons(by_hand, box))


def test_a_move_that_was_never_sent_is_found_by_its_supposed_sender(
    town: Town, draft: Callable[..., Any], tmp_path: Path
) -> None:
    """The operator writes another move for a player and everything after it anew; the receipt says otherwise."""
    place = next(
        event.seq for event in town.events if event.kind == "played" and encode(event.payload)["seat"] == "fennec"
    )
    forged = town.operator().rewrite(lambda event: draft(event) if event.seq < place else None)
    text = forged.play().text()
    found = reasons(text, town.mbox(tmp_path, "fennec"))
    assert any("receipt" in reason for reason in found)


def lie_about(town: Any, box: Path, seat: str, **changes: Any) -> list[str]:
    """What is found if the receipt for the first move of a seat said something else, signed with the post's own key."""
    evidence = read_mailboxes([box])
    place, honest = next(
        (place, signed.receipt)
        for place, signed in enumerate(evidence.receipts)
        if signed.receipt.seat == seat and signed.receipt.played
    )
    (lie,) = read_receipts(sign_receipt(honest._replace(**changes), town.context.signer))
    assert lie is not None
    evidence.receipts[place] = lie
    (verified,) = Checker(town.public, evidence).check(town.text())
    return [finding.reason for finding in verified.findings]


def test_a_letter_that_was_played_and_called_refused_is_found(town: Town, tmp_path: Path) -> None:
    found = lie_about(town, town.mbox(tmp_path, "fennec"), "fennec", outcome="refused", rule="PO-T1", played=())
    assert len(found) == 1
    assert found[0].endswith("says that this letter was refused")


def test_a_receipt_for_another_move_than_was_played_is_found(town: Town, tmp_path: Path) -> None:
    box = town.mbox(tmp_path, "fennec")
    assert lie_about(town, box, "fennec") == []
    (honest,) = {*next(signed.receipt.played for signed in read_mailboxes([box]).receipts if signed.receipt.played)}
    other = "wait" if honest == "go" else "go"
    found = lie_about(town, box, "fennec", played=(other,))
    assert len(found) == 1
    assert found[0].endswith(f"says: fennec {other}")


def test_a_receipt_or_checkpoint_that_another_key_signed_is_found(town: Town, tmp_path: Path) -> None:
    box = town.mbox(tmp_path, "fennec")
    (verified,) = Checker(b"\x01" * 32, read_mailboxes([box])).check(town.text())
    assert any("another key" in finding.reason for finding in verified.findings)


def test_a_hidden_value_that_was_swapped_later_is_found(
    operator: Callable[..., Any], draft: Callable[..., Draft]
) -> None:
    honest = operator().begin().play()
    line = next(line for line in honest.text().splitlines() if "card fennec" in line)
    value = int(line.split("card fennec ")[1][0])
    swapped = honest.text().replace(f"card fennec {value}", f"card fennec {value % 6 + 1}")
    assert not verify_text(swapped)[0].is_good
