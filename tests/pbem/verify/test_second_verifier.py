"""Two verifiers that share nothing but docs/proof.md agree: on honest records, on forged ones, and on mailboxes."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from itertools import count, islice
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.chance import KeyedDealer
from engine.game import PUBLIC
from pbem.events.chain import Draft
from pbem.events.codec import encode
from pbem.events.post_kinds import GameRestored
from pbem.mail.commands.vacation import DropVacation, Vacation
from pbem.tables.chance import random_moves
from pbem.tables.fold import fold
from pbem.verify.check_log import check_log
from pbem.verify.check_record import Checker, verify_text
from pbem.verify.mailboxes import read_mailboxes
from pbem.workflow.context import open_context
from pbem.workflow.session import GameSession
from tests.second_verifier.later_lives import LaterLife
from tests.second_verifier.second_author import Author
from tests.second_verifier.second_forgeries import RULES_ALONE, Forger
from tests.second_verifier.second_history_lies import ABOUT_HISTORIES, OF_THE_FIRST_FORM, form_in, kinds
from tests.second_verifier.second_lies import ABOUT_PEOPLE, a_move_has_words_in_it
from tests.second_verifier.second_mailbox import contradicted_lines, contradicted_log, contradictions, forks
from tests.second_verifier.second_scribe import Lie, Scribe
from tests.second_verifier.second_table_lies import ABOUT_TABLES
from tests.second_verifier.second_verifier import check, notes, verify
from tests.second_verifier.table_lives import Life

HONEST, FORGED = map(int, os.environ.get("CARAVAN_RECORDS", "200 400").split())
"""How many honest and how many forged records both read. The whole comparison takes a few minutes:

    CARAVAN_RECORDS="1000 3000" python -m pytest tests/pbem/verify/test_second_verifier.py
"""
LIES: dict[int, list[Lie]] = {1: OF_THE_FIRST_FORM, 2: [*ABOUT_PEOPLE, *ABOUT_TABLES, *ABOUT_HISTORIES]}
BEFORE_THE_START = 0.8
"""How many records of tables that have not started are left alone: there are many, and little to forge in them."""
AT_ONCE = 4
"""How many forgeries are made of one record."""
KEY = b"k" * 32
"""The private key of the posts at which the lives are lived."""


def first_believes(text: str) -> bool:
    found = verify_text(text)
    return bool(found) and all(verified.is_good for verified in found)


def second_believes(text: str) -> bool:
    return verify(text) is None


def lives(operator: Callable[..., Any]) -> Iterator[Life]:
    """One table after the other, always the same ones: two of three are of the second form."""
    return ((LaterLife if number % 3 else Life)(operator, number) for number in count())


def test_both_believe_whatever_an_honest_post_wrote(operator: Callable[..., Any]) -> None:
    happened, games, forms, read = Counter[str](), Counter[str](), Counter[int](), 0
    for life in lives(operator):
        for text in life.records():
            assert_same_opinion(text)
            forms[form_in(text)] += 1
            read += 1
        games[life.post.game] += 1
        happened.update(event.kind for event in life.post.events)
        if read >= HONEST:
            break
    assert len(games) == 5
    assert set(forms) == {1, 2}
    assert set(happened) >= {"undone", "resigned", "substituted", "paused", "ruled", "press", "ended", "dealt"}
    assert set(happened) >= {"restored", "rekeyed", "note.pencilled", "invited", "declined"}


def assert_same_opinion(text: str) -> None:
    """Both believe a record, miss as many texts in it, pass over the same kinds and doubt the same keys."""
    (verified,), told = verify_text(text), notes(check(text)[0])
    assert verified.is_good
    assert (verified.withheld_names, verified.withheld_words) == (told.names, told.words)
    assert len(verified.remarks) == len(told.passed_over) + len(told.unvouched)
    assert all(any(f" {kind} " in remark for remark in verified.remarks) for kind in told.passed_over)


def test_both_believe_that_somebody_came_back_early(operator: Callable[..., Any]) -> None:
    game = operator().begin()
    game.do("red", Vacation(date(2026, 12, 1), date(2026, 12, 4)))
    game.do("red", DropVacation())
    text = game.play(2).text()
    assert re.search(r" returned .* \{\"first\":\"2026-11-17\",\"seat\":\"red\"\}", text)
    assert verify(text) is None
    assert first_believes(text)


def forgeries(operator: Callable[..., Any], forger: Forger) -> Iterator[tuple[str, str]]:
    """Forged records without end, each with the name of what was done to it: what was done least so far, and fits."""
    chance, done, sister = Random("forger"), Counter[str](), ""
    for life in lives(operator):
        text = ""
        for text in life.records():
            if " started 20" not in text and chance.random() < BEFORE_THE_START:
                continue
            signer: Any = life.post.signer
            lies = kinds(Scribe(KEY, signer._private, b"x" * 32), LIES[form_in(text)])
            known = (*forger.kinds(), *lies) if sister else ()
            made = 0
            for kind in sorted(known, key=lambda kind: done[kind.__name__]):
                forged = kind(text, chance, sister)
                if forged is not None and forged != text:
                    done[kind.__name__] += 1
                    made += 1
                    yield kind.__name__, forged
                if made == AT_ONCE:
                    break
        sister = text


def test_both_refuse_whatever_a_forger_left(operator: Callable[..., Any]) -> None:
    forger, done = Forger(KEY), Counter[str]()
    for kind, forged in islice(forgeries(operator, forger), FORGED):
        assert not second_believes(forged), kind
        assert not first_believes(forged), kind
        done[kind] += 1
    first, second = ({lie.__name__ for lie in LIES[form]} for form in (1, 2))
    assert set(done) >= {kind.__name__ for kind in forger.kinds()} | first
    assert len(set(done) & second) > 60


NO_RULES_NEEDED = (
    *("asked_before_the_start", "asked_before_the_last_move", "asked_by_words", "due_at_no_moment"),
    *("a_game_starts_without_somebody", "a_seat_is_accepted_twice"),
    *("an_empty_text_was_sealed", "a_restored_copy_says_more"),
    *("what_does_not_wait_is_stopped", "a_letter_waits_before_the_start"),
)
"""Lies about the table that show without the rules, so also in a game of which something is closed."""
TOLD_EACH = 3


def test_the_first_finds_out_what_needs_no_rules_in_every_record(operator: Callable[..., Any]) -> None:
    """Also where it cannot replay the game, because something in it is closed."""
    chance, missing = Random("forger"), Counter(dict.fromkeys(NO_RULES_NEEDED, TOLD_EACH))
    for life in islice(lives(operator), 60):
        for text in (text for text in life.records() if form_in(text) == 2):
            signer: Any = life.post.signer
            for forge in kinds(Scribe(KEY, signer._private, b"x" * 32), LIES[2]):
                kind = forge.__name__
                forged = forge(text, chance, "") if missing[kind] > 0 else None
                if forged is not None and forged != text:
                    assert not first_believes(forged), kind
                    missing[kind] -= 1
        if not +missing:
            break
    assert not +missing


def test_words_in_a_move_show_also_where_moves_stay_closed(operator: Callable[..., Any]) -> None:
    """The rules cannot be asked there, and words beside a hidden move look like a part of it."""
    chance, told = Random("words"), 0
    for life in (life for life in lives(operator) if life.post.game == "shy-well"):
        signer: Any = life.post.signer
        (forge,) = kinds(Scribe(KEY, signer._private, b"x" * 32), [a_move_has_words_in_it])
        for text in (text for text in life.records() if form_in(text) == 2 and "[%seed " not in text):
            forged = forge(text, chance, "")
            if forged is not None and 'hidden \\\\"ha' in forged:
                assert not first_believes(forged)
                told += 1
        if told > 4:
            break


def test_the_first_refuses_lies_about_records_that_only_the_second_believes() -> None:
    """Those that were written from the page alone have moves that no rules allow. The first says so, whatever comes."""
    author = Author(7)
    for text in author.records():
        assert second_believes(text)
        assert not first_believes(text)
        for forge in kinds(author.scribe, LIES[2]):
            forged = forge(text, Random("forger"), "")
            assert forged is None or not first_believes(forged), forge.__name__


@pytest.mark.parametrize(
    ("place", "otherwise"),
    [
        (r"(?<=\[%state )0|(?<=\[%state )[1-9a-f]", lambda digit: "1" if digit == "0" else "0"),
        (r"(?<=\n)\d+(?=\. end: )", lambda number: str(int(number) + 1)),
        (r", [0-9]+/6 die(?=\])", lambda last: ""),
    ],
    ids=["the digest of a state", "the number of an ending", "a draw that is kept quiet"],
)
def test_what_only_the_rules_can_tell_is_left_to_the_first(
    operator: Callable[..., Any], place: str, otherwise: Callable[[str], str]
) -> None:
    """The line between them, so that nobody takes the second for more than it is."""
    text = next(
        text
        for life in lives(operator)
        if life.post.game == "nomadi"
        for text in life.records()
        if re.search(place, text) and "[%seed " in text
    )
    forged = re.sub(place, lambda found: otherwise(found[0]), text, count=1)
    assert RULES_ALONE.search(text)
    assert second_believes(forged)
    assert not first_believes(forged)


# -- Mailboxes

SAID = {
    "receipt": rb"^\| (?:letter|mark|before|after|played|outcome|received|number|key|signature|seat|post) (\S+)",
    "checkpoint": rb"^X-Caravan-Checkpoint: \S+ [0-9]+ (\S{43})=",
    "signature of a checkpoint": rb"^X-Caravan-Checkpoint: \S+ [0-9]+ \S+ (\S{80})",
    "promise": rb"^\| promised \S+ \S+\s+\|?\s*([0-9a-f]+)",
    "opening": rb"^\| opened \S+ [0-9]+ [0-9]+\s+\|?\s*([0-9a-f]+)",
}


def opinions(town: Any, text: str, folder: Path, seat: str) -> tuple[list[str], list[str]]:
    """What either finds when it holds a record against the mailbox of a seat."""
    events, _ = check(text)
    first = Checker(town.public, read_mailboxes([town.mbox(folder, seat)]))
    found = [finding.reason for verified in first.check(text) for finding in verified.findings]
    mails = [*town.boxes[seat], *town.sent[seat]]
    return found, list(contradictions("sirocco-7", events, mails))


def with_mails(town: Any, seat: str, mails: list[bytes]) -> Any:
    """The same town, but for what one player was mailed."""
    other = SimpleNamespace(boxes={seat: mails}, sent=town.sent, public=town.public)
    other.mbox = lambda folder, asked: type(town).mbox(other, folder, asked)
    return other


def test_both_find_honest_mailboxes_in_order(town: Any, tmp_path: Path) -> None:
    for seat in town.seats:
        assert opinions(town, town.text(), tmp_path, seat) == ([], [])


@pytest.mark.parametrize("what", SAID)
def test_both_hear_when_a_mail_says_something_else(town: Any, tmp_path: Path, what: str) -> None:
    chance, seat = Random(what), town.seats[0]
    mails = town.boxes[seat]
    places = [(at, found) for at, raw in enumerate(mails) for found in re.finditer(SAID[what], raw, re.MULTILINE)]
    for number, (at, found) in enumerate(chance.sample(places, min(len(places), 6))):
        place = chance.randrange(*found.span(1))
        digit = chance.choice([digit for digit in b"0123456789" if digit != mails[at][place]])
        changed = mails[at][:place] + bytes([digit]) + mails[at][place + 1 :]
        forged = with_mails(town, seat, [*mails[:at], changed, *mails[at + 1 :]])
        folder = tmp_path / str(number)
        folder.mkdir()
        first, second = opinions(forged, town.text(), folder, seat)
        assert first, changed[found.start() :][:100]
        assert second, changed[found.start() :][:100]


def test_both_pass_over_a_header_that_the_receipt_beside_it_refutes(town: Any, tmp_path: Path) -> None:
    """A header is not signed: where nothing that is signed speaks, both only say that one of two was changed."""
    seat, opinion = town.seats[0], Counter[bool]()
    mails = town.boxes[seat]
    for at, raw in enumerate(mails):
        changed = re.sub(rb"(?m)^(X-Caravan-Head: \S+ [0-9]+ )\S+", rb"\g<1>" + b"00" * 32, raw)
        forged = with_mails(town, seat, [*mails[:at], changed, *mails[at + 1 :]])
        folder = tmp_path / str(at)
        folder.mkdir()
        first, second = opinions(forged, town.text(), folder, seat)
        assert (len(first), len(second)) in {(0, 0), (1, 1)}
        assert all("which nobody signs" in reason and "two histories" not in reason for reason in first)
        opinion[bool(first)] += 1
    assert set(opinion) == {False, True}


def offer(table: Any, seat: str) -> str:
    """A letter that offers a card and ends the turn, or only ends it where there is no card to offer."""
    cards = table.game.view(table.position, seat)["hands"][seat]["cards"]
    wanted = [resource for resource in ("lumber", "brick", "wool", "grain", "ore") if resource not in cards]
    return f"offer 1 {next(iter(cards))} for 1 {wanted[0]} to any, end" if cards and wanted else "end"


def test_both_know_that_the_rest_of_a_letter_may_wait_for_answers(settle: Callable[..., Any], tmp_path: Path) -> None:
    """The receipt of an offer cannot name what was played, by the same letter, once all had declined."""
    post, asker = settle(tmp_path, 3, "brotherhood-base"), ""
    for seat in post.seats:
        post.write(seat, "accept")
    while not asker:
        table = fold(post.events)
        (seat, *_), trades = table.due, table.game.view(table.position, PUBLIC)["waits_for"] == "trade"
        words = offer(table, seat) if trades else random_moves(table, seat, KeyedDealer(bytes([table.seq])))
        post.write(seat, words, turn=table.turn)
        asker = seat if words.startswith("offer") else ""
    while len(waiting := fold(post.events).due) > 1:
        post.write(next(seat for seat in waiting if seat != asker), "decline", turn=table.turn)
    told = [encode(event.payload) for event in post.events]
    first, rest = [data for data in told if data.get("seat") == asker and "phrase" in data][-2:]
    assert (first["letter"], rest["phrase"]) == (rest["letter"], "end")
    assert opinions(post, post.text(), tmp_path, asker) == ([], [])


def test_both_miss_an_end_that_a_mailbox_remembers(town: Any, draft: Callable[..., Any], tmp_path: Path) -> None:
    known = len(town.events) - 3
    short = town.operator().rewrite(lambda event: draft(event) if event.seq <= known else None).text()
    assert first_believes(short)
    assert second_believes(short)
    for number, seat in enumerate(town.seats):
        (tmp_path / str(number)).mkdir()
        first, second = opinions(town, short, tmp_path / str(number), seat)
        assert first
        assert second


def test_both_know_the_log_of_all_games_from_another(town: Any, tmp_path: Path) -> None:
    seat = town.seats[0]
    checker = Checker(town.public, read_mailboxes([town.mbox(tmp_path, seat)]))
    list(checker.check(town.text()))
    assert not list(check_log(town.log, checker.evidence, checker.proofs))
    assert not list(contradicted_log(town.log, town.boxes[seat]))
    forged = [town.log[0].replace('"seq":1', '"seq":2'), *town.log[1:]]
    assert list(check_log(forged, checker.evidence, checker.proofs))
    assert list(contradicted_log(forged, town.boxes[seat]))


# -- A restored copy


def play_on(town: Any, most: int) -> None:
    """Let whoever is due answer a few times."""
    for number in range(most):
        table = fold(town.events)
        words = random_moves(table, table.due[0], KeyedDealer(f"{len(town.events)} {number}".encode()))
        town.write(table.due[0], words, turn=table.turn, epoch=table.epoch)


def test_both_tell_a_lost_history_from_a_lie(settle: Callable[..., Any], tmp_path: Path) -> None:
    town = settle(tmp_path)
    for seat in town.seats:
        town.write(seat, "accept")
    play_on(town, 2)
    town.context.store.copy_to(tmp_path / "copy.db")
    play_on(town, 3)
    town.context.store.close()
    settings, seat = town.context.settings, town.seats[0]
    url = f"sqlite:///{tmp_path / 'copy.db'}"
    town.context = open_context(replace(settings, store=replace(settings.store, url=url)))
    row = town.row
    with town.context.store.transaction() as at_desk:
        session = GameSession(town.context, at_desk, row)
        session.apply_events([Draft(GameRestored("a broken disk", by="post"))])
        session.save()
    place = town.events[-1].seq
    play_on(town, 2)
    mails, (events, _) = [*town.boxes[seat], *town.sent[seat]], check(town.text())
    assert opinions(town, town.text(), tmp_path, seat) == ([], [])
    (first,) = Checker(town.public, read_mailboxes([tmp_path / f"{seat}.mbox"])).check(town.text())
    told = list(forks("sirocco-7", events, mails))
    assert any(f"at event {place}" in remark for remark in first.remarks)
    assert told
    assert all(f"part at {place}" in reason for reason in told)
    assert not list(contradicted_log(town.log, mails))
    assert not list(contradicted_lines("caravan@post.test", "sirocco-7", events, town.log))
    town.context.store.close()
