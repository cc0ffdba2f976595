"""A record with its proof is believed as it was written, and not one byte otherwise."""

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from notation import read_text, write_record
from pbem.events.chain import ORIGIN, Draft, hash_event
from pbem.events.codec import encode
from pbem.events.kinds import InvitationDeclined
from pbem.verify.check_record import verify_text
from pbem.verify.finding import Finding
from pbem.verify.read_proof import read_proof

EVERYTHING = os.environ.get("CARAVAN_EVERY_BYTE") == "yes"
"""All bytes of all records and 10,000 edits, which takes half an hour; otherwise a sample of them.

    CARAVAN_EVERY_BYTE=yes python -m pytest tests/pbem/verify/test_records.py
"""
FLIPS = 120
EDITS = 150


def is_believed(text: str) -> bool:
    found = verify_text(text)
    return bool(found) and all(verified.is_good for verified in found)


@pytest.mark.parametrize("name", ["shy-well", "desert", "nomadi"])
def test_a_record_as_it_was_written_is_believed(records: dict[str, str], name: str) -> None:
    (verified,) = verify_text(records[name])
    assert verified.findings == ()
    assert verified.proof is not None


@pytest.mark.parametrize("name", ["shy-well", "desert", "nomadi"])
def test_the_formatter_leaves_a_proof_as_it_is(records: dict[str, str], name: str) -> None:
    (reading,) = read_text(records[name])
    assert reading.record is not None
    assert write_record(reading.record) == records[name]


@pytest.mark.parametrize("name", ["shy-well", "desert", "nomadi"])
def test_a_byte_that_is_changed_is_found(records: dict[str, str], name: str) -> None:
    raw, chance = records[name].encode(), random.Random(name)
    places = range(len(raw)) if EVERYTHING else sorted(chance.sample(range(len(raw)), FLIPS))
    for place in places:
        byte = raw[place] ^ chance.choice((1, 2, 4, 8, 16, 32, 64, 128))
        changed = (raw[:place] + bytes([byte]) + raw[place + 1 :]).decode("utf-8", "surrogateescape")
        assert not is_believed(changed), (place, changed.splitlines()[raw[:place].count(b"\n")][:200])


def edits(text: str, others: list[str], chance: random.Random) -> Iterator[str]:
    """The text with one change of a kind that no slip of the pen makes."""
    lines = text.splitlines(keepends=True)
    while True:
        one, two = sorted(chance.sample(range(len(lines)), 2))
        match chance.choice(("drop", "swap", "cut", "cut before the end", "splice", "double", "move", "letter")):
            case "drop":
                yield "".join(lines[:one] + lines[one + 1 :])
            case "swap":
                yield "".join([*lines[:one], lines[two], *lines[one + 1 : two], lines[one], *lines[two + 1 :]])
            case "cut":
                yield "".join(lines[:two])
            case "cut before the end":
                yield "".join(lines[:one] + lines[two:])
            case "splice":
                yield "".join(lines[:two] + chance.choice(others).splitlines(keepends=True)[two:])
            case "double":
                yield "".join(lines[: one + 1] + lines[one:])
            case "move":
                yield "".join([*lines[:one], *lines[one + 1 : two], lines[one], *lines[two:]])
            case "letter":
                place = chance.randrange(len(text))
                yield text[:place] + chance.choice("abcdef0123456789 \"'[]{}%\\\n") + text[place + 1 :]


def test_edits_of_every_kind_are_found(records: dict[str, str], operator: Callable[..., Any]) -> None:
    chance = random.Random("edits")
    sister = operator(table="sirocco-8", players=3, seed=b"t" * 32).begin().play().text()
    texts = list(records.values())
    tried = 0
    makers = {text: edits(text, [*texts, sister], chance) for text in texts}
    while tried < (10_000 if EVERYTHING else EDITS):
        text = chance.choice(texts)
        edited = next(makers[text])
        if edited != text:
            tried += 1
            assert not is_believed(edited), edited[:400]


def test_a_seal_that_is_put_on_another_move_is_found(records: dict[str, str]) -> None:
    moved = records["nomadi"].replace("[%sealed 0 ", "[%sealed 8 ", 1)
    assert moved != records["nomadi"]
    (verified,) = verify_text(moved)
    assert verified.findings[0].check == "seals"


def test_the_first_wrong_line_is_told(records: dict[str, str]) -> None:
    lines = records["desert"].splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if line.startswith("20. "))
    lines[place] = lines[place].replace('"by":"player"', '"by":"referee"')
    (verified,) = verify_text("".join(lines))
    assert (verified.findings[0].check, verified.findings[0].line) == ("chain", place + 1)


def test_a_wrong_result_is_told_at_its_header(records: dict[str, str]) -> None:
    lines = records["desert"].splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if line.startswith("[Result "))
    lines[place] = re.sub(r"[0-9]+", "1", lines[place], count=1)
    (verified,) = verify_text("".join(lines))
    assert {finding.line for finding in verified.findings} == {place + 1}
    assert verified.findings[0].reason.startswith("RC-R3")


def test_a_carriage_return_at_the_end_of_lines_is_named(records: dict[str, str]) -> None:
    (verified,) = verify_text(records["desert"].replace("\n", "\r\n"))
    [finding] = verified.findings
    assert (finding.check, finding.line) == ("form", 1)
    assert "carriage return" in finding.reason


def test_a_record_without_a_proof_is_not_believed(records: dict[str, str]) -> None:
    (reading,) = read_text(records["desert"])
    assert reading.record is not None
    bare = write_record(
        type(reading.record)(
            tuple(header for header in reading.record.headers if "Commitment" not in header[0]),
            tuple(entry._replace(remarks=()) for entry in reading.record.entries),
        )
    )
    (verified,) = verify_text(bare)
    assert "no proof" in verified.findings[0].reason


def test_words_beside_the_moves_are_passed_over_on_request_only(records: dict[str, str]) -> None:
    lines = records["desert"].splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if line.startswith("5. "))
    lines.insert(place, "{what a move}\n")
    commented = "".join(lines)
    assert verify_text(commented)[0].findings[0].line == place + 1
    assert verify_text(commented, remarks=True)[0].is_good


def test_a_public_record_of_a_game_in_progress_is_believed_as_far_as_it_is_open(operator: Callable[..., Any]) -> None:
    game = operator(players=3).begin().play(4)
    (public,) = verify_text(game.text())
    assert public.is_good
    assert public.sealed == 3 + 3, "three cards, and three choices that others may yet hear of"
    (own,) = verify_text(game.text("fennec"))
    assert own.is_good
    assert 0 < own.sealed < public.sealed
    (backup,) = verify_text(game.text(None))
    assert (backup.is_good, backup.sealed) == (True, 0)
    assert game.seed.hex() not in game.text(None), "the secrets are opened when the game is over"


def test_a_game_that_was_called_off_opens_its_secrets_too(
    operator: Callable[..., Any], draft: Callable[..., Draft]
) -> None:
    game = operator()
    game.begin()
    called_off = game.rewrite(lambda event: draft(event) if event.seq == 1 else None)
    called_off.apply_events([Draft(InvitationDeclined("hare", reason=""))])
    (verified,) = verify_text(called_off.text())
    assert verified.is_good
    assert game.seed.hex() in called_off.text()


@pytest.mark.parametrize("garbage", ["", "\n", "[%head 1 x]\n", '[Format "1"]\n', "hello\n"])
def test_garbage_is_told_and_never_believed(garbage: str) -> None:
    assert not is_believed(garbage)


@pytest.mark.parametrize(
    "odd",
    [
        "NaN",
        "1e999",
        '"\\\\ud800"',
        "1.5",
        "[" * 5_000,
        '{"a":',
        "1" * 5_000,
        "null",
        "[]",
        '"text"',
        "-1",
        "true",
        "{}",
    ],
)
def test_whatever_stands_in_an_event_is_told_and_never_raised(records: dict[str, str], odd: str) -> None:
    written = odd.replace("]", "\\]")
    for name in ("seat", "letter", "by", "options", "proof", "terms", "names", "seats", "taken_in", "level"):
        for line in records["shy-well"].splitlines():
            if f'"{name}":' in line:
                begin = records["shy-well"].index(line) + line.index(f'"{name}":') + len(name) + 3
                end = begin + 2 if records["shy-well"][begin] in "{[" else begin + 1
                changed = records["shy-well"][:begin] + written + records["shy-well"][end:]
                assert changed == records["shy-well"] or not is_believed(changed)
                break


@pytest.mark.parametrize(
    "data",
    [
        {"names": {"fennec": 7, "hare": []}},
        {"seats": [1, 2]},
        {"seats": []},
        {"options": {"Board": 3}},
        {"terms": {"silence": {}}},
        {"headers": {"Id": "other"}},
        {"headers": {"a b": "c"}},
        {"proof": {}},
        {"proof": {"seed": 7, "blind": None, "level": "1", "key": [], "taken_in": "x"}},
        {"game": "chess"},
        {"rules": "99"},
    ],
)
def test_a_first_event_of_nonsense_with_every_hash_in_order_is_not_believed(
    operator: Callable[..., Any], draft: Callable[..., Draft], data: dict[str, Any]
) -> None:
    text = operator().begin().play().text()
    honest = operator().begin().play()
    line = next(line for line in text.splitlines() if line.startswith("[%event 1 "))
    forged = json.dumps({**encode(honest.events[0].payload), **data}, sort_keys=True, separators=(",", ":"))
    changed = rehash(text.replace(line, f"[%event 1 opened {honest.events[0].at} {escape(forged)} {'0' * 64}]"))
    assert not is_believed(changed)


@pytest.mark.parametrize("form", [1, 2])
def test_a_turn_behind_an_ending_is_told_and_never_raised(operator: Callable[..., Any], form: int) -> None:
    text = operator(form=form).begin().play().text()
    ending = next(line for line in text.splitlines() if re.match(r"[0-9]+\. end: ", line))
    turn = next(line for line in text.splitlines() if " played 20" in line)
    said, event = re.sub(r" \[%.*", "", ending), turn[turn.index("[%event ") :]
    found = verify_text(text.replace(ending, f"{said} {event}"))
    assert {finding.check for verified in found for finding in verified.findings} == {"form"}
    sealed = ending.replace(" [%told", f" [%sealed 0 {'0' * 64}] [%told")
    sealed = sealed if sealed != ending else f"{ending} [%sealed 0 {'0' * 64}]"
    assert not is_believed(text.replace(ending, sealed))


def escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def rehash(text: str) -> str:
    """The text with every hash of its chain made anew, as far as its events can be read."""
    (reading,) = read_text(text)
    assert reading.record is not None
    found = read_proof(reading.record, 1)
    if isinstance(found, Finding):
        return text
    head = ORIGIN
    for told in found.recorded:
        event = told.event
        named: dict[str, Any] = {"game": event.game, "seq": event.seq, "payload": event.payload, "at": event.at}
        fresh = hash_event(head, **named, commitments=event.commitments)
        text, head = text.replace(event.hash, fresh, 1), fresh
    return text.replace(found.closing.head, head)
