"""Warrants and bundles: what a referee may see, and what leaves the house."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registry
from pbem.workflow.open_game import Guest, Invitation, open_table
from tests.post.court.courts import Court, convene, sit_by_the_well, text_of
from tests.post.post_games import TABLE
from tests.post.towns import SEED


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Court]:
    with sit_by_the_well(tmp_path, monkeypatch) as court:
        yield court


def test_a_case_is_shown_as_everybody_may_see_it(court: Court) -> None:
    page, file = court.page("public"), court.file()
    assert "hidden" in [move["said"] for move in file["moves"]]
    first = next(letter for letter in file["letters"] if letter["seat"] == "fennec" and letter["fate"] == "applied")
    assert "a warrant for fennec opens it" in first["withheld"]
    assert (first["body"], first["understood"], first["receipt"]) == ("", [], [])
    assert first["repeats"] == "read and judged again, it does the same", "that much can be said"
    assert "between you and me" not in page
    assert SEED.hex() not in page


def test_a_letter_whose_words_are_withheld_gives_nothing_away_by_which_they_could_be_guessed(court: Court) -> None:
    """There are two words to choose from: their length, or what a mail server signed of them, tells which it was."""
    signed = "DKIM-Signature: v=1; d=players.test;\r\n bh=47DEQpj8HBSa; b=dzdVyOfAKCdL\r\nContent-Length: 4\r\n"
    note = "Authentication-Results: mx.players.test; dkim=pass\r\n"
    for seat, friend in court.town.friends.items():
        raw = (signed + note).encode() + friend.answer("wait", court.town.hours.now())
        assert court.town.deliver(raw).fate == "applied", seat
    court.pbem("case", "open", TABLE, "--turn", "3", "--reason", "to look at it")
    letters = [each for each in court.file("2")["letters"] if each["authentication"]]
    assert len(letters) == 2
    for letter in letters:
        assert letter["withheld"]
        assert letter["size"] is None
        assert letter["authentication"] == [note.strip()]
        assert [line.split(":")[0] for line in letter["head"].splitlines() if line[0] != " "] == [
            *("Authentication-Results", "From", "To", "Date", "Message-ID", "In-Reply-To", "References", "User-Agent"),
        ]
    pages = court.pbem("case", "show", TABLE, "2"), json.dumps(letters)
    assert not any(said in page for page in pages for said in ("bh=", "b=dz", "Content-Length", " bytes"))


@pytest.mark.parametrize("words", ["plan lilac F4, salmon C9", "plan:\nlilac F4\nsalmon C9"])
def test_a_plan_is_nobodys_business_however_its_lines_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    game = registry.find_game("through-the-desert")
    assert game is not None
    with convene(tmp_path, monkeypatch, game, 2) as court:
        (due,) = court.town.table.due
        waiting = next(seat for seat in court.town.friends if seat != due)
        assert court.town.write(waiting, words).fate == "applied"
        court.play(1)
        assert court.town.write(waiting, "appeal 1: that was not legal").fate == "applied"
        planned = next(letter for letter in court.file()["letters"] if letter["seat"] == waiting)
        assert "nobody's business" in planned["withheld"]


def test_what_a_seat_sees_takes_a_warrant_that_everybody_hears_of(court: Court) -> None:
    refused = court.pbem("case", "show", TABLE, "1", "--as", "fennec", fails=2)
    assert "no warrant stands for fennec" in refused
    court.pbem("case", "warrant", TABLE, "1", "--as", "fennec", "--reason", "to see what was sent")
    for seat in court.town.friends:
        assert "the referee may see what" in court.town.last_text(seat)
    file = court.file("1", "--as", "fennec")
    assert file["warrants_at_the_table"] == 1
    assert file["warrants"][0]["reason"] == "to see what was sent"
    letter = next(each for each in file["letters"] if each["seat"] == "fennec" and each["understood"] == ["wait"])
    assert letter["body"]
    assert all(each["withheld"] for each in file["letters"] if each["seat"] == "hare"), "a warrant is for one seat"
    court.pbem("case", "show", TABLE, "1", "--as", "hare", fails=2)
    (standing,) = json.loads(court.pbem("status", "--json"))["results"]
    assert (standing["warrants"], standing["cases"]) == (1, [1])
    assert "1 warrant" in court.pbem("status")


def test_a_machine_that_watches_the_post_learns_no_secret(court: Court) -> None:
    watched = court.pbem("status", "--json")
    (standing,) = json.loads(watched)["results"]
    assert standing.keys() == {
        *("table", "game", "stage", "turn", "waits_for", "pauses", "result", "cases", "warrants", "free"),
        "pencilled",
    }
    assert standing["pauses"] == ["case 1"]
    assert not any(friend.address in watched or friend.name in watched for friend in court.town.friends.values())
    assert SEED.hex() not in watched


def test_what_not_everybody_may_see_is_written_for_the_referee_alone(court: Court) -> None:
    court.pbem("case", "warrant", TABLE, "1", "--as", "fennec", "--reason", "to see what was sent")
    page, bundle = court.folder / "page.html", court.folder / "case.zip"
    for path in (page, bundle):
        path.write_text("old", "utf-8")
        path.chmod(0o644)
    court.pbem("case", "show", TABLE, "1", "-o", page)
    assert page.stat().st_mode & 0o777 == 0o644, "what everybody may know can lie about"
    court.pbem("case", "show", TABLE, "1", "--as", "fennec", "-o", page)
    court.pbem("case", "bundle", TABLE, "1", "-o", bundle)
    assert [path.stat().st_mode & 0o077 for path in (page, bundle)] == [0, 0]


def test_a_warrant_names_a_seat_and_has_a_reason(court: Court) -> None:
    court.pbem("case", "warrant", TABLE, "1", "--reason", "just so", fails=2)
    court.pbem("case", "warrant", TABLE, "1", "--as", "fennec", fails=1)
    court.pbem("case", "warrant", TABLE, "2", "--as", "fennec", "--reason", "just so", fails=1)
    assert court.town.table.warrants == 0


def test_a_seat_goes_to_somebody_else_and_whoever_leaves_hears_why(court: Court) -> None:
    old = court.town.friends["hare"]
    ruling = ("case", "rule", TABLE, "1", "substitute", "--reason", "he does not answer any more")
    court.pbem(*ruling, fails=2)
    court.pbem(*ruling, "--seat", "hare=Dana:dana@elsewhere.test")
    told = " ".join(text_of(court.town.mails[old.address][-1]).replace("|", " ").split())
    assert "somebody else takes a seat. he does not answer any more" in told
    (welcome,) = court.town.mails["dana@elsewhere.test"]
    assert "Dana now plays hare" in text_of(welcome)
    assert "opened sirocco-7" in text_of(welcome), "what was sealed for the seat is opened to whoever sits there now"
    court.pbem("case", "close", TABLE, "1")
    assert court.town.write("hare", "go").reason == "other-sender"
    old.address, old.name = "dana@elsewhere.test", "Dana"
    court.town.friends["hare"].get(court.town.mails["dana@elsewhere.test"][-1])
    assert court.town.write("hare", "wait").fate == "applied"


def test_a_referee_stops_time_and_lets_it_run_without_a_case(court: Court) -> None:
    court.pbem("case", "pause", TABLE, fails=1)
    court.pbem("case", "pause", "nowhere", "--reason", "a fair", fails=2)
    court.pbem("case", "pause", TABLE, "--reason", "everybody is at the fair")
    assert court.town.table.pauses == {"case 1", "everybody is at the fair"}
    told = [" ".join(court.town.last_text(seat).split()) for seat in court.town.friends]
    assert all("everybody is at the fair" in text for text in told)
    assert "close it, and the clock runs again" in court.pbem("case", "resume", TABLE, "--reason", "case 1", fails=1)
    court.pbem("case", "close", TABLE, "1")
    missed = court.pbem("case", "resume", TABLE, "--reason", "the fair", fails=1)
    assert "everybody is at the fair" in missed, "a reason is named as it was given"
    court.pbem("case", "resume", TABLE, "--reason", "everybody is at the fair")
    assert court.town.table.pauses == set()
    assert all("The clock runs again" in court.town.last_text(seat) for seat in court.town.friends)
    assert court.town.write(court.town.table.due[0], "wait").fate == "applied"


def test_an_invitation_is_taken_back_before_the_game_and_not_after(court: Court) -> None:
    court.pbem("case", "call-off", TABLE, "--reason", "too late for that", fails=1)
    guests = [Guest(seat, friend.name, friend.address) for seat, friend in court.town.friends.items()]
    assert open_table(court.town.context, Invitation("bora-8", "shy-well", guests)) is None
    court.pbem("case", "call-off", "bora-8", "--reason", "the well has dried up")
    for seat in court.town.friends:
        assert "the referee called the game off: the well has dried up" in court.town.last_text(seat)
    assert court.town.write("hare", "accept").fate == "refused"
    court.pbem("case", "call-off", "bora-8", "--reason", "once more", fails=1)


def test_a_game_that_cannot_go_on_is_decided(court: Court) -> None:
    court.pbem(*("case", "rule", TABLE, "1", "adjudicate", "--winner", "hare", "--reason", "the well has dried up"))
    assert court.town.table.stage == "over"
    for friend in court.town.friends.values():
        told = text_of(court.town.mails[friend.address][-1])
        assert "the well has dried up" in told
        assert "+ 3. end: adjudicated hare" in told
    assert "believed" in court.pbem("verify", court.record())
    court.pbem("case", "rule", TABLE, "1", "dismiss", "--reason", "on second thoughts", fails=1)


def test_a_bundle_of_a_running_game_keeps_letters_at_home(court: Court) -> None:
    path = court.folder / "case.zip"
    court.pbem("case", "bundle", TABLE, "1", "-o", path)
    names = zipfile.ZipFile(path).namelist()
    assert [name for name in names if name.endswith(".eml")] == []
    assert names[0] == "README.txt"
    told = court.pbem("case", "check", path)
    assert "believed, case 1 at sirocco-7" in told
    assert "still sealed" in told
    court.pbem("case", "warrant", TABLE, "1", "--as", "fennec", "--reason", "to see what was sent")
    court.pbem("case", "bundle", TABLE, "1", "-o", path)
    listed = json.loads(zipfile.ZipFile(path).read("letters.json"))
    assert {each["seat"] for each in listed if each["file"]} == {"fennec"}
    assert all("reason" not in each for each in listed if not each["file"])
    court.pbem("case", "check", path)


def test_the_same_case_makes_the_same_bundle(court: Court) -> None:
    paths = [court.folder / name for name in ("one.zip", "two.zip")]
    for path in paths:
        court.pbem("case", "bundle", TABLE, "1", "-o", path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
