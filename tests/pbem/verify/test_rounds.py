"""Games whose draws are bound to a beacon: both verifiers believe honest ones, and nobody gets around a round."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.events.chain import Draft, Event
from pbem.events.codec import decode, encode
from pbem.mail.commands.press import Press
from pbem.mail.commands.resign import Resign
from pbem.proof.public_beacon import QUICKNET, Pulse, SignedBeacon
from pbem.tables.chance import GameDealer, NoRoundError
from pbem.tables.fold import apply_event, fold
from pbem.tables.silence import handle_timeout
from pbem.verify.check_record import Checker, verify_text
from pbem.verify.mailboxes import MailClaim, MailEvidence
from tests.second_verifier.patient_posts import KEEPER, REHEARSAL, TABLE, Patient, SecondRehearsal, as_it_was
from tests.second_verifier.second_verifier import verify


def first_finds(text: str) -> list[str]:
    found = verify_text(text, beacons={"rehearsal": REHEARSAL}.get)
    return [finding.reason for verified in found for finding in verified.findings]


def second_finds(text: str) -> Any:
    return verify(text, None, SecondRehearsal())


@pytest.fixture(scope="module")
def patient() -> Patient:
    """A game of many throws, played to its end."""
    return Patient().begin().play()


def test_both_believe_a_game_that_waited_for_every_round(patient: Patient) -> None:
    assert patient.table.stage == "over"
    awaited = [event for event in patient.events if event.kind == "awaited"]
    assert len(awaited) > 3
    text = patient.text()
    assert first_finds(text) == []
    assert second_finds(text) is None


def test_both_believe_a_game_of_many_throws_as_far_as_it_was_played() -> None:
    thrown = Patient(game="nomadi").begin().play(60)
    assert sum(event.kind == "pulse" for event in thrown.events) > 10
    assert first_finds(thrown.text()) == []
    assert second_finds(thrown.text()) is None


def test_a_game_that_goes_on_is_checked_as_far_as_it_is(patient: Patient) -> None:
    unfinished = Patient().begin().play(6)
    assert first_finds(unfinished.text()) == []
    assert second_finds(unfinished.text()) is None


def test_nothing_is_drawn_before_the_round_is_out(patient: Patient) -> None:
    begun = Patient().begin()
    assert [event.kind for event in begun.events] == ["opened", "accepted", "accepted", "awaited"]
    assert encode(begun.events[-1].payload)["round"] == REHEARSAL.round_after(begun.now + timedelta(minutes=10))
    with pytest.raises(NoRoundError):
        begun.dealer.at(begun.table)
    begun.hear()
    kinds = [event.kind for event in begun.events[4:]]
    assert kinds[:2] == ["pulse", "started"]
    assert set(kinds[2:]) <= {"dealt"}


def test_the_value_of_a_round_serves_what_follows_at_once_and_no_more(patient: Patient) -> None:
    before = fold(patient.events[:3])
    for event in patient.events[3:]:
        after = apply_event(before, event)
        if event.kind in ("started", "dealt"):
            assert before.rounds.value is not None
        if event.kind == "played":
            assert after.rounds.value is None
        before = after


def test_words_in_between_use_a_round_up_and_votes_do_not_stop_a_wait() -> None:
    post = Patient().begin()
    post.do(post.table.seats[0], Press("all", "hello"))
    assert post.table.rounds.round
    post.hear()
    assert post.table.rounds.value
    post.do(post.table.seats[0], Press("all", "well"))
    assert post.table.rounds.value is None
    assert first_finds(post.play().text()) == []


def test_whoever_does_not_answer_is_moved_by_a_round_of_its_own() -> None:
    post = Patient(terms={"silence": "play"}).begin()
    post.hear()
    for _ in range(30):
        table = post.table
        if not table.due or table.stage != "playing":
            break
        if table.rounds.round:
            assert table.rounds.seat in (*table.seats, "*")
            post.hear()
            continue
        post.now += timedelta(days=4)
        post.apply_events(handle_timeout(table, table.due[0], dealer=post.dealer).drafts)
    by_clock = [event for event in post.events if event.kind == "played" and encode(event.payload)["by"] == "clock"]
    assert by_clock
    text = post.play().text()
    assert first_finds(text) == []
    assert second_finds(text) is None


def second_round(post: Patient) -> Event:
    return [event for event in post.events if event.kind == "awaited"][1]


def pulses_of(post: Patient) -> Iterator[Event]:
    return (event for event in post.events if event.kind == "pulse")


def tell_of_another_round(post: Patient) -> Callable[[Event], Draft]:
    pulse = [*pulses_of(post)][1]
    said = REHEARSAL.pulse(encode(pulse.payload)["round"] + 1)
    assert said is not None
    told = {"round": said.round, "signature": said.signature}
    return lambda event: as_it_was(event, **(told if event.seq == pulse.seq else {}))


def make_a_signature_up(post: Patient) -> Callable[[Event], Draft]:
    pulse = [*pulses_of(post)][1]
    return lambda event: as_it_was(event, **({"signature": "ab" * 64} if event.seq == pulse.seq else {}))


def write_words_for_a_signature(post: Patient) -> Callable[[Event], Draft]:
    pulse = next(pulses_of(post))
    return lambda event: as_it_was(event, **({"signature": "AB" * 64} if event.seq == pulse.seq else {}))


def lie_about_the_hour(post: Patient) -> Callable[[Event], Draft]:
    chosen = second_round(post)
    return lambda event: as_it_was(event, **({"out": "2026-11-16T12:00:00Z"} if event.seq == chosen.seq else {}))


def leave_a_round_out(post: Patient) -> Callable[[Event], Draft | None]:
    """Draw without waiting."""
    chosen = second_round(post)
    pulse = next(event for event in pulses_of(post) if event.seq > chosen.seq)
    return lambda event: None if event.seq in (chosen.seq, pulse.seq) else as_it_was(event)


def never_say_which_round(post: Patient) -> Callable[[Event], Draft | None]:
    chosen = second_round(post)
    return lambda event: None if event.seq == chosen.seq else as_it_was(event)


def claim_a_lower_level(post: Patient) -> Callable[[Event], Draft]:
    lower = {**encode(post.events[0].payload)["proof"], "level": 1}
    return lambda event: as_it_was(event, **({"proof": lower} if event.seq == 1 else {}))


def name_another_beacon(post: Patient) -> Callable[[Event], Draft]:
    other = {**encode(post.events[0].payload)["proof"], "beacon": "elsewhere"}
    return lambda event: as_it_was(event, **({"proof": other} if event.seq == 1 else {}))


@pytest.mark.parametrize(
    "cheat",
    [
        tell_of_another_round,
        make_a_signature_up,
        write_words_for_a_signature,
        lie_about_the_hour,
        leave_a_round_out,
        never_say_which_round,
        claim_a_lower_level,
        name_another_beacon,
    ],
)
def test_both_find_an_operator_who_gets_around_a_round(patient: Patient, cheat: Callable[..., Any]) -> None:
    text = patient.rewrite(cheat(patient))
    assert first_finds(text)
    assert second_finds(text) is not None


class Choosy(SignedBeacon):
    """The same beacon, in the hands of an operator who names another round than he must, and draws by it."""

    def __init__(self, by: int) -> None:
        super().__init__(REHEARSAL.name, KEEPER.public, KEEPER)
        self._by = by

    def round_after(self, moment: datetime) -> int:
        return super().round_after(moment) + self._by


@pytest.mark.parametrize("by", [-300, -1, 1], ids=["one that is out", "one too early", "one that he likes better"])
def test_both_find_an_operator_who_chooses_his_rounds(by: int) -> None:
    text = Patient(beacon=Choosy(by)).begin().play().text()
    assert any("is the first ten minutes later" in reason for reason in first_finds(text))
    assert second_finds(text) is not None


def test_both_find_a_value_that_was_known_for_a_second(patient: Patient) -> None:
    """The operator sits on a round until he sees whom it helps."""
    late = replace(patient, events=[], _made=None)
    for event in patient.events:
        late.now = datetime.fromisoformat(event.at) + timedelta(seconds=event.kind in ("started", "dealt"))
        late.apply_events([as_it_was(event)])
    assert any("was drawn before its round was out" in reason for reason in first_finds(late.text()))
    assert second_finds(late.text()) is not None


class Deaf(GameDealer):
    """Hears every round, and draws by the seed alone."""

    def at(self, table: Any) -> Any:
        return super().at(replace(table, rounds=table.rounds._replace(value="00" * 32)))


def test_a_draw_that_its_round_was_not_stirred_into_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Patient, "dealer", property(lambda post: Deaf(post.seed, post.beacon, post.now)))
        post = Patient(game="nomadi").begin().play(20)
        post.do(post.table.seats[0], Resign())
        post.play(2)
    assert post.table.stage == "over"
    assert any("is not what the seed draws here" in reason for reason in first_finds(post.text()))


def test_a_round_at_level_1_says_nothing(operator: Callable[..., Any]) -> None:
    honest = operator().begin().play()
    spoken = Draft(decode("pulse", {"round": 7, "signature": "ab" * 64}))
    forged = replace(honest, events=[])
    for event in honest.events:
        forged.apply_events([as_it_was(event), *([spoken] if event.kind == "started" else [])])
    assert any("a beacon that nothing is bound to" in reason for reason in first_finds(forged.text()))
    assert verify(forged.text()) is not None


# -- drand itself

PUBLISHED = {
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
}


def at_the_time_of(number: int) -> datetime:
    """When a post had to name a round of drand."""
    return QUICKNET.time_of(number) - timedelta(minutes=10)


@pytest.fixture(scope="module")
def published() -> Patient:
    """A game whose set-up is bound to what drand really said in its round 1000, on a day in August 2023."""
    post = Patient(game="through-the-desert", beacon=QUICKNET, now=at_the_time_of(1000) - timedelta(seconds=14))
    post.begin()
    assert post.table.rounds.round == 1000
    post.hear(Pulse(1000, PUBLISHED[1000]))
    return post.play()


def test_both_believe_a_game_that_is_bound_to_what_drand_said(published: Patient) -> None:
    text = published.text()
    assert [verified.findings for verified in verify_text(text)] == [()]
    assert verify(text) is None
    assert f'"signature":"{PUBLISHED[1000]}"' in text


@pytest.mark.parametrize("place", [0, 1, 40, 95])
def test_neither_believes_it_with_one_digit_of_drand_otherwise(published: Patient, place: int) -> None:
    digit = "0" if PUBLISHED[1000][place] != "0" else "1"
    false = PUBLISHED[1000][:place] + digit + PUBLISHED[1000][place + 1 :]
    text = published.rewrite(lambda event: as_it_was(event, **({"signature": false} if event.kind == "pulse" else {})))
    (verified,) = verify_text(text)
    assert any("what the beacon never said in round 1000" in finding.reason for finding in verified.findings)
    assert verify(text) is not None


def test_neither_takes_another_round_of_drand_for_it(published: Patient) -> None:
    text = published.rewrite(
        lambda event: as_it_was(event, **({"signature": PUBLISHED[657413]} if event.kind == "pulse" else {}))
    )
    assert verify_text(text)[0].findings
    assert verify(text) is not None


# -- What mailboxes know


@pytest.mark.parametrize(("minutes", "late"), [(1, 0), (9, 0), (11, None), (3_000, None)])
def test_a_mailbox_tells_when_a_round_was_out_before_its_mail(patient: Patient, minutes: int, late: int | None) -> None:
    evidence = MailEvidence()
    for event in patient.events:
        if event.kind == "awaited":
            came = datetime.fromisoformat(event.at) + timedelta(minutes=minutes)
            evidence.heads.append(MailClaim("today", TABLE, (str(event.seq), event.hash), came))
    (verified,) = Checker(None, evidence, beacons={"rehearsal": REHEARSAL}.get).check(patient.text())
    assert verified.is_good
    many = sum(event.kind == "awaited" for event in patient.events)
    said = [remark for remark in verified.remarks if "rounds were out before" in remark]
    assert said == ([] if late == 0 else [said[0]])
    assert late == 0 or f"of {many} rounds" in said[0]


def test_the_value_of_a_round_is_the_digest_of_its_signature(patient: Patient) -> None:
    pulse = next(pulses_of(patient))
    value = hashlib.sha256(bytes.fromhex(encode(pulse.payload)["signature"])).hexdigest()
    assert fold(patient.events[: pulse.seq]).rounds.value == value
