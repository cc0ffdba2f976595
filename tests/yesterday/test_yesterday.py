"""Posts that older versions left half-played wake up as they were, are played to their end, and can be believed.

Each folder beside this file holds one, with the mailboxes of its players. Commands run in this process, for there are
many of them; apart from that everything goes as it would at a post whose operator has installed a new version.
"""

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.service.housekeeping import tidy_up
from pbem.service.post_folder import open_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.timestamps import utc_now
from pbem.verify.check_record import verify_text
from pbem.workflow.context import PostContext
from tests.second_verifier.second_verifier import check as second_check
from tests.second_verifier.second_verifier import notes as second_notes
from tests.second_verifier.second_verifier import told as second_told
from tests.second_verifier.second_verifier import verify as second_verify
from tests.yesterday.conftest import KEPT, Kept
from tests.yesterday.correspondence import Mail, Post, due, place_of, text_of

ROUNDS = 60
"""Enough for most games. Who is not at the end by then agrees on a draw, lest the test take minutes."""

GAMES = {"through-the-desert", "nomadi", "brotherhood-base", "brotherhood"}
SHORT = {"through-the-desert", "nomadi"}
"""Games that are played by moves to their very end."""

_EVENT = re.compile(r"\[%event (\d+) (\S+) .*? ([0-9a-f]{64})\]")


def test_a_post_is_kept() -> None:
    assert KEPT


def test_what_was_printed_can_still_be_believed(post: Kept) -> None:
    tables = {told["table"]: told for told in post.json("status.json")["results"]}
    assert {path.stem for path in (post.folder / "records").glob("*.turns")} == {*tables}
    post.verify(post.folder / "records", post.folder / "log.txt")
    begun = [table for table, told in tables.items() if told["stage"] in ("playing", "over")]
    post.check("validate", *(post.file(f"secrets/{table}.turns") for table in begun))
    post.check("case", "check", post.file("case.zip"), "--key", post.file("post.pub"))


def test_the_post_wakes_up_as_it_was(post: Kept) -> None:
    old = post.json("status.json")
    told = post.ask("status", "--all")
    assert _parts(told["results"], like=old["results"]) == old["results"]
    assert _parts([told["health"]], like=[old["health"]]) == [
        old["health"] | {"clocks_due": told["health"]["clocks_due"]}
    ]
    assert post.tell("key") == (post.folder / "post.pub").read_text("utf-8")
    assert post.tell("log") == (post.folder / "log.txt").read_text("utf-8")
    for table in post.tables():
        for folder, more in (("records", ()), ("secrets", ("--secrets",))):
            now = post.record(table, post.folder / "now.turns", *more)
            assert now.read_bytes() == (post.folder / folder / f"{table}.turns").read_bytes(), f"{folder}: {table}"
            now.unlink()
    _examine(post)


def test_what_was_waiting_is_done(post: Kept) -> None:
    old = post.json("status.json")["health"]
    fetched = sum(way["letters"] for way in post.ask("fetch")["results"])
    assert fetched
    assert [outcome["fate"] for outcome in post.handle()] == ["applied"] * (old["unread"] + fetched)
    health = post.ask("status")["health"]
    assert (health["unread"], health["difference"]) == (0, 0)
    assert (health["mails_queued"], health["mails_failed"]) == (0, 0)
    assert health["mails_sent"] >= old["mails_sent"] + old["mails_queued"]
    for table, entries in post.json("foreseen.json")["coming"].items():
        was, now = _entries(post.old_record(table)), _entries(post.tell("record", table, "--bare"))
        assert now == was + entries, table
    assert all(post.tell("quarantine", "show", str(aside["letter"])) for aside in post.ask("quarantine")["results"])
    _examine(post)


def test_what_players_wished_still_holds(post: Kept) -> None:
    going = [table for table, told in post.tables().items() if told["stage"] == "playing"]
    seats = {(table, seat): player for table in going for seat, player in post.seats_of(table).items()}
    before = {place: _manner(player.about(place[0])[-1]) for place, player in seats.items()}
    assert {script for script, _ in before.values()} == {"Latin", "Hebrew", "Cyrillic"}
    assert {pictures for _, pictures in before.values()} == {False, True}
    post.handle()
    for table, seat in seats:
        post.write(table, seat, "status\nboard")
    assert {outcome["fate"] for outcome in post.handle()} == {"applied"}
    after = {place: player.about(place[0])[-1] for place, player in seats.items()}
    assert {place: _manner(mail) for place, mail in after.items()} == before
    for table, (seat, year) in post.json("foreseen.json")["away"].items():
        assert year in text_of(after[table, seat]), f"the days away of {seat} at {table} are forgotten"


def test_everybody_who_had_a_seat_is_one_person_at_all_of_them(post: Kept) -> None:
    post.handle()
    tables: dict[str, set[str]] = {}
    for table in post.tables():
        for player in post.seats_of(table).values():
            tables.setdefault(player.address.lower(), set()).add(table)
    known = {address.lower(): person for person in post.ask("person")["results"] for address in person["addresses"]}
    assert len(tables) > 1
    for address, sits_at in tables.items():
        assert sits_at <= set(known[address]["tables"]), address
        assert known[address]["name"]
    assert len({person["person"] for person in known.values()}) == len(known)


def test_its_mails_are_packed_to_the_byte_and_its_file_can_shrink(post: Kept) -> None:
    post.handle()
    settings = read_settings(post.folder / "post.toml")
    assert isinstance(settings, Settings)
    settings = replace(settings, store=replace(settings.store, keep_sent=timedelta(days=36_500)))

    def now() -> datetime:
        return utc_now() + timedelta(days=9)

    def mails(context: PostContext) -> dict[int, bytes]:
        with context.store.reading() as transaction:
            found = [transaction.find_mail(number) for number in transaction.mail_numbers()]
        return {mail.id: mail.raw for mail in found if mail is not None}

    with open_post(settings, now) as context:
        before = mails(context)
        tidy_up(context)
        with context.store.reading() as transaction:
            room = transaction.measure_room()
        assert 0 < room["archive"] < sum(map(len, before.values())) / 4
        assert mails(context) == before
    told = post.ask("compact")["results"][0]
    assert told["after"] < told["before"] - room["free"] / 2
    with open_post(settings, now) as context, context.store.reading() as transaction:
        assert transaction.file_size().shrinks
    with open_post(settings, now) as context:
        assert mails(context) == before
    _examine(post)


def _told(found: Any) -> str:
    return "\n".join(second_told(second_notes(found[0])))


def test_somebody_of_games_of_the_first_form_is_forgotten_and_the_records_hold(post: Kept, tmp_path: Path) -> None:
    post.handle()
    known = max(post.ask("person")["results"], key=lambda person: (len(person["tables"]), person["person"]))
    name, sits = known["name"], sorted(known["tables"])
    records = tmp_path / "forgotten"
    records.mkdir()
    before = {table: post.tell("record", table) for table in sits}
    assert all(name in record for record in before.values())
    log = post.tell("log")
    post.tell("person", "forget", known["person"], "--yes")
    withheld = 0
    for table in sits:
        path = post.record(table, records / f"{table}.turns")
        text = path.read_text("utf-8")
        assert name not in text, table
        (told,) = post.check("verify", str(path), "--key", post.file("post.pub"))["results"]
        taken = [remark for remark in told["remarks"] if "withholds a name or words" in remark]
        assert taken, table
        assert (told["believed"], told["whole"]) == (True, False)
        withheld += len(taken)
        found = second_check(text)
        assert "something is withheld" in _told(found)
        # What was signed and mailed before holds: each event has the hash that it had.
        old, now = _EVENT.findall(before[table]), _EVENT.findall(text)
        assert now[: len(old)] == old
        _reject_lies(text)
    assert withheld >= len(sits)
    assert post.tell("log").startswith(log)
    _examine(post)


def _reject_lies(text: str) -> None:
    """Neither verifier believes a record in which more was changed than is signed, or whose signature is missing."""
    line = next(line for line in text.splitlines() if "[%withheld " in line)
    kept = re.search(r"\[%withheld (\d+) (\w+) (\w+)\]", line)
    assert kept is not None
    digest, signature = kept[2], kept[3]
    lies = [
        text.replace("somebody", "nobody at all"),
        text.replace(signature, signature[::-1]),
        text.replace(digest, digest[::-1]),
        text.replace(kept[0], ""),
        text.replace(f"[%withheld {kept[1]} ", "[%withheld 99 "),
    ]
    for lie in lies:
        assert lie != text
        assert not all(verified.is_good for verified in verify_text(lie))
        assert second_verify(lie) is not None


def test_every_game_is_continued_to_its_end(post: Kept) -> None:
    endings = post.json("foreseen.json")["endings"]
    before = {player.address: len(player.mails) for player in post.players.values()}
    post.ask("fetch")
    post.handle()
    for table, told in post.tables().items():
        _set_going(post, told, endings.get(table, "play"))
    playing = [table for table, told in post.tables().items() if told["stage"] == "playing"]
    assert {told["game"] for table, told in post.tables().items() if table in playing} == GAMES
    post.play(playing, ROUNDS)
    left = [table for table, told in post.tables().items() if told["stage"] == "playing"]
    assert {told["game"] for table, told in post.tables().items() if table in {*playing} - {*left}} >= SHORT
    for table in left:
        _agree_on_a_draw(post, table)
    over = post.tables()
    assert {told["stage"] for told in over.values()} == {"over", "called off"}
    assert all(over[table]["result"] != "*" for table in playing)
    old = [mail for player in post.players.values() for mail in player.mails[: before.get(player.address, 0)]]
    new = [mail for player in post.players.values() for mail in player.mails[before.get(player.address, 0) :]]
    assert {table: _quiet(new, table) for table in playing} == {table: _quiet(old, table) for table in playing}
    (final := post.folder / "final").mkdir()
    for table in over:
        now = post.record(table, final / f"{table}.turns").read_text("utf-8")
        was = _events(post.old_record(table))
        assert _events(now)[: len(was)] == was, f"{table} does not continue what it was"
        standing = post.json("foreseen.json")["standing"].get(table)
        rolled = [line for line in now.splitlines()[len(was) :] if standing is not None and f". {standing} [" in line]
        assert [line for line in rolled if '{"by":"standing",' not in line] == []
        assert rolled or standing is None
    log = post.folder / "log-now.txt"
    log.write_text(post.tell("log"), "utf-8")
    told = post.verify(final, log)
    assert not any(result["sealed"] for result in told.values())
    post.check("verify", *(str(final / f"{table}.turns") for table in playing), "--statement", post.file("page.txt"))
    post.check("validate", *(str(final / f"{table}.turns") for table in playing))
    _examine(post)


def test_a_post_of_yesterday_is_restored_and_its_games_stay_believed(post: Kept, tmp_path: Path) -> None:
    """Games of the first form have no event for a restore: the turn at hand is taken back, which opens an epoch too."""
    post.ask("fetch")
    post.handle()
    copy = tmp_path / "copy.db"
    post.tell("backup", str(copy))
    going = [table for table, told in post.tables().items() if told["stage"] == "playing"]
    rehearsed = post.ask("restore", str(copy), "--rehearse")["results"][0]
    assert {*going} <= {*rehearsed["live"]}
    post.tell("restore", str(copy))
    post.tell("send")
    post.look()
    for table in going:
        now = post.tell("record", table)
        assert '{"by":"restore","turn":' in now, table
        printed, code = post.run("verify", str(post.record(table, tmp_path / f"{table}.turns")))
        assert code == 0, printed
    logged = [line for line in post.tell("log").splitlines() if '"kind":"restored"' in line]
    assert len(logged) == len(going)
    _examine(post)


def test_games_of_the_first_form_are_signed_with_the_key_they_were_promised(post: Kept, tmp_path: Path) -> None:
    public = (post.folder / "post.pub").read_text("utf-8")
    post.tell("key", "rotate", "signing")
    assert post.tell("key") != public
    for table in post.tables():
        printed, code = post.run(
            "verify", str(post.record(table, tmp_path / f"{table}.turns")), "--key", public.strip()
        )
        assert code == 0, printed
    _examine(post)


def _set_going(post: Post, told: dict[str, Any], ending: str) -> None:
    """Do whatever a table needs so that its game can go on, or end it as was foreseen."""
    table, seats = told["table"], [*post.seats_of(told["table"])]
    if told["stage"] == "inviting":
        if ending == "call-off":
            post.tell("case", "call-off", table, "--reason", "the beacon is out")
            return
        for seat in told["waits_for"]:
            post.say(table, seat, "accept\nplain on")
    for case in told["cases"]:
        post.tell("case", "rule", table, str(case), "dismiss", "--reason", "all is as it should be")
        post.tell("case", "close", table, str(case))
    for reason in told["pauses"]:
        if reason == "vote":
            for seat in seats:
                if reason in post.tables()[table]["pauses"]:
                    post.insist(table, seat, "resume")
        elif not reason.startswith("case "):
            post.tell("case", "resume", table, "--reason", reason)
    if ending == "draw":
        _agree_on_a_draw(post, table)
    elif ending == "resign":
        post.say(table, seats[0], "resign")
    elif ending == "adjudicate":
        opened = post.ask("case", "open", table, "--turn", "3", "--reason", "nobody wants to play on")
        assert opened
        cases = post.tables()[table]["cases"]
        post.tell("case", "rule", table, str(cases[-1]), "adjudicate", "--winner", seats[0], "--reason", "as agreed")
    post.handle()


def _agree_on_a_draw(post: Post, table: str) -> None:
    """Who has not agreed yet does; whoever has is told so. An offer of long ago has lapsed, and is made anew."""
    for seat in post.seats_of(table):
        if due(post.tables()[table]):
            post.insist(table, seat, "draw")


def _manner(mail: Mail) -> tuple[str, bool]:
    """The script that a mail is written in, and whether it has pictures."""
    # Its first line: words of players, in whatever script, may be quoted further down.
    text = text_of(mail).partition("\n")[0]
    scripts = {"Hebrew": r"[\u05d0-\u05ea]{3}", "Cyrillic": r"[\u0430-\u044f]{3}"}
    script = next((name for name, letters in scripts.items() if re.search(letters, text)), "Latin")
    return script, any(part.get_content_maintype() == "image" for part in mail.walk())


def _quiet(mails: list[Mail], table: str) -> set[str]:
    """The seats of a table that get far fewer mails than others, because they asked not to hear of every move."""
    counted = Counter(place[1] for mail in mails if (place := place_of(mail)) is not None and place[0] == table)
    return {seat for seat, count in counted.items() if count < 0.8 * max(counted.values())}


def _examine(post: Kept) -> None:
    """Nothing may be wrong with the post; advice is no harm."""
    findings = post.ask("doctor")["results"]
    assert [finding for finding in findings if finding["state"] == "bad"] == []


def _parts(tables: list[dict[str, Any]], like: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was told of old, without what is told besides by now."""
    return [{key: now.get(key) for key in was} for now, was in zip(tables, like, strict=True)]


def _entries(record: str) -> list[str]:
    """Who played what, turn by turn."""
    lines = re.findall(r"(?m)^\d+\. (.*)$", record)
    return [re.sub(r"\s*\[%.*", "", line) for line in lines]


def _events(record: str) -> list[tuple[str, ...]]:
    """The chain of a record: number, kind and hash of every event."""
    return [found.groups() for line in record.splitlines() if (found := _EVENT.search(line)) is not None]
