"""Make a half-played post, to be kept in the tests: `python -m tests.yesterday.make FOLDER`.

Run it with the Python of the checkout whose post is to be kept. It founds a post in a temporary folder, opens tables of
all games, and lets players answer their mails until every kind of thing that a post remembers is there. Everything goes
through `pbem`, as an operator and a mail server would; nothing of the house is imported. What is kept of it is one
archive, FOLDER/post.tar.xz.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

from tests.yesterday.correspondence import ADDRESS, REFEREE, Post, Run, due

ARCHIVE = "post.tar.xz"
LONG = "1000d"
"""The longest time for a turn that can be given. What a post slept is given back to the players on top."""

WAY_IN = "letters"
"""The Maildir that letters can be fetched from."""

AWAY = "2090"
"""The year of somebody's vacation: it must be to come, whenever the test runs."""

SETTINGS = {
    "answers_per_hour": "1000",
    "mails_per_hour": "100000",
    "kind": '"maildir"',
    "path": '"mailboxes"',
}
"""What differs from what `pbem init` writes: people here answer within a second, and their mailboxes are at hand."""


@dataclass(frozen=True)
class Opened:
    """A table that is opened, what its players say beside `accept`, and how the test is to end its game."""

    name: str
    game: str
    seats: dict[str, str]
    words: tuple[str, ...] = ()
    wishes: dict[str, str] = field(default_factory=dict)
    ending: str = "play"


TABLES = (
    Opened(
        "harmattan-1",
        "through-the-desert",
        {"red": "anna", "blue": "boris", "green": "chloe"},
        ("--per-turn", LONG),
        {"red": "notify each", "blue": "plain on\nnotify daily", "green": "plain on\nlanguage pl\nzone Europe/Warsaw"},
    ),
    Opened(
        "simoom-2",
        "nomadi",
        {"blue": "anna", "yellow": "dov", "red": "eva"},
        ("--bank", "900d", "--increment", "2d", "--weekends", "rest", "--option", "Coins=hidden"),
        {"blue": "plain on", "yellow": "language he", "red": "plain on\nlanguage nl"},
    ),
    Opened(
        "levanter-3",
        "brotherhood-base",
        {"red": "boris", "blue": "fyodor", "yellow": "chloe"},
        ("--per-turn", LONG, "--board", "variable"),
        {"red": "plain on", "blue": "plain on\nlanguage ru", "yellow": "plain on\nnotify turn"},
    ),
    Opened(
        "mistral-4",
        "brotherhood",
        {"red": "fyodor", "blue": "dov", "yellow": "anna"},
        ("--per-turn", LONG, "--silence", "play", "--default", "roll; end"),
        {
            "red": "plain on\nlanguage ru\nstanding auto-roll",
            "blue": "plain on\nlanguage he\nnotify daily\nstanding no trades",
            "yellow": "plain on\nstanding discard ore wool",
        },
    ),
    Opened(
        "ostro-5",
        "through-the-desert",
        {"red": "boris", "blue": "eva"},
        ("--per-turn", LONG, "--silence", "substitute"),
        {"red": "plain on", "blue": "plain on"},
    ),
    Opened(
        "zephyr-6",
        "brotherhood",
        {"red": "anna", "blue": "boris", "yellow": "chloe", "black": "dov"},
        ("--per-turn", LONG, "--silence", "forfeit", "--option", "Board=variable"),
        dict.fromkeys(("red", "blue", "yellow", "black"), "plain on"),
        "draw",
    ),
    Opened(
        "bora-7",
        "nomadi",
        {"blue": "eva", "yellow": "fyodor"},
        ("--per-turn", LONG, "--dice", "beacon"),
        {"blue": "plain on", "yellow": "plain on"},
        "call-off",
    ),
    Opened(
        "foehn-8",
        "through-the-desert",
        {"red": "chloe", "blue": "dov"},
        ("--per-turn", LONG),
        {"red": "plain on", "blue": "plain on"},
    ),
    Opened(
        "chinook-9", "nomadi", {"blue": "anna", "yellow": "boris"}, ("--per-turn", LONG), {"blue": "plain on"}, "resign"
    ),
    Opened("mizzle-10", "brotherhood-base", {"red": "anna", "blue": "boris", "yellow": "eva"}, (), {"red": "plain on"}),
)
WITH_PICTURES = (("harmattan-1", "red"), ("simoom-2", "yellow"))
"""Who does not want plain text from the beginning. Pictures are large, so everybody does in the end."""
FINISHED, INVITING, CALLED_OFF = "foehn-8", "chinook-9", "mizzle-10"
IMPORTED = "tramontane-11"


def run_process(*words: str, given: bytes = b"") -> tuple[str, int]:
    """`pbem`, as a process of its own with the Python that runs this script."""
    plain = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "pbem", *words]
    # Not where the sources are: what is installed is meant, and not what happens to lie in the working folder.
    place, both = gettempdir(), subprocess.STDOUT
    done = subprocess.run(command, cwd=place, env=plain, input=given, stdout=-1, stderr=both, check=False)
    return done.stdout.decode("utf-8"), done.returncode


def found(post: Post) -> None:
    """Found the post, and change the settings as an operator would."""
    printed, code = post.run("init", str(post.folder), "--address", ADDRESS, "--referee", REFEREE)
    assert code == 0, printed
    settings = post.folder / "post.toml"
    text = settings.read_text("utf-8")
    for key, value in SETTINGS.items():
        text, changed = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text, count=1)
        assert changed, f"{key} is not among the settings"
    text, opened = re.subn(r'(?m)^#(\[in\.maildir\])((?:\n# .*)*\n)#path = "maildir"$', rf'\1\2path = "{WAY_IN}"', text)
    assert opened, "there is no Maildir for letters among the settings"
    settings.write_text(text, "utf-8")
    for name in ("cur", "new", "tmp"):
        (post.folder / WAY_IN / name).mkdir(parents=True)


def seat_words(seats: dict[str, str]) -> list[str]:
    """Who sits where, as options of a command."""
    return [
        word for seat, name in seats.items() for word in ("--seat", f"{seat}={name.capitalize()}:{name}@example.org")
    ]


def open_tables(post: Post) -> None:
    """Invite everybody; all accept but those who have no wishes."""
    for table in TABLES:
        post.tell("new", table.game, "--id", table.name, *seat_words(table.seats), *table.words)
    post.handle()
    for table in TABLES:
        for number, (seat, wish) in enumerate(table.wishes.items()):
            post.write(table.name, seat, f"accept {number + 3} wells in the sand\n{wish}")
    fates = {outcome["fate"] for outcome in post.handle()}
    assert fates == {"applied"}, fates
    post.tell("case", "call-off", CALLED_OFF, "--reason", "two of us are ill")


def due_at(post: Post, table: str) -> str:
    """The first of the seats that a game waits for."""
    return due(post.tables()[table])[0]


def others(post: Post, table: str, seat: str) -> list[str]:
    """All seats but one, in the order of the alphabet."""
    return sorted({*post.seats_of(table)} - {seat})


def take_back(post: Post, table: str) -> None:
    """A turn is played and taken back, and all agree; what was taken back stays in the record."""
    seat = due_at(post, table)
    post.say(table, seat, post.think(table, seat))
    post.say(table, seat, "undo")
    for other in others(post, table, seat):
        post.insist(table, other, "agree undo")


def judge(post: Post, table: str) -> None:
    """A case that is ruled on and closed, and a stand-in for a seat."""
    turn = str(post.tables()[table]["turn"] - 1)
    post.say(table, due_at(post, table), f"appeal {turn}: I meant another camel.")
    for words in (
        ("rule", table, "1", "roll-back", "--reason", "both say the same"),
        ("rule", table, "1", "substitute", "--seat", "blue=Gita:gita@example.org", "--reason", "Eva has gone to sea"),
        ("close", table, "1"),
    ):
        post.tell("case", *words)
        post.handle()
    post.say(table, "blue", "plain on")


def bring_odd_letters(post: Post) -> None:
    """Letters that move nothing: one that is put aside, an illegal move, a robot's answer, a stranger's words."""
    head = f"From: Anna <anna@example.org>\r\nTo: {ADDRESS}\r\n"
    post.tell("deliver", given=f"{head}From: Boris <boris@example.org>\r\nSubject: hello\r\n\r\nstatus\r\n".encode())
    robot = "From: Sam <sam@example.com>\r\nAuto-Submitted: auto-replied\r\nSubject: I am away\r\n\r\nuntil May\r\n"
    post.tell("deliver", given=f"To: {ADDRESS}\r\n{robot}".encode())
    stranger = "From: Zoe <zoe@example.com>\r\nSubject: May I play?\r\n\r\nGood day!\r\n"
    post.tell("deliver", given=f"To: {ADDRESS}\r\nMessage-ID: <1@example.com>\r\n{stranger}".encode())
    seat = due_at(post, "harmattan-1")
    post.write("harmattan-1", seat, "mint A1, mint A1")
    fates = sorted(outcome["fate"] for outcome in post.handle())
    assert "quarantined" in fates, fates
    assert "automatic" in fates, fates
    assert "refused" in fates, fates


def foresee(post: Post, table: str, entry: str) -> tuple[str, str]:
    """Who is due after a turn that has not been played yet, and what that seat could do then."""
    path = post.record(table, post.folder / "foreseen.turns", "--bare")
    path.write_text(f"{path.read_text('utf-8').rstrip()}\n{entry}\n", "utf-8")
    printed, code = post.run("suggest", str(path), "--best", "1", "--json")
    assert code == 0, printed
    path.unlink()
    best = json.loads(printed)["results"][0]
    return best["seat"], best["moves"]


def leave_things_open(post: Post) -> dict[str, Any]:
    """Stop in the middle of everything: a case, a pause, votes, plans, days away, words in private.

    What can be foreseen is given, by table: the turns that a letter and a plan will bring, who is away in which year,
    and what is done by a standing order from now on.
    """
    post.tell("observe", "zephyr-6", "--add", "Olga:olga@example.org")
    first = due_at(post, "harmattan-1")
    second, third = others(post, "harmattan-1", first)
    post.say("harmattan-1", second, f"press to {third}: shall we keep {first} away from the west?")
    post.say("harmattan-1", third, f"vacation {AWAY}-05-01 to {AWAY}-05-07")
    coming = post.think("harmattan-1", first)
    planned = foresee(post, "harmattan-1", f"{first}: {coming}")
    post.say("harmattan-1", planned[0], f"plan {planned[1]}")
    turn = post.tables()["levanter-3"]["turn"] - 1
    post.say("levanter-3", "yellow", f"appeal {turn}: The road does not touch mine.")
    post.tell("case", "warrant", "levanter-3", "1", "--as", "yellow", "--reason", "to read her letters whole")
    post.handle()
    post.say("mistral-4", "red", "pause")
    post.say("mistral-4", "yellow", "agree pause")
    post.say("mistral-4", "blue", "resume")
    post.say("zephyr-6", "blue", "draw")
    post.say("zephyr-6", "black", "agree draw")
    post.tell("case", "pause", "zephyr-6", "--reason", "all are at the fair")
    # The last things: mails that are written and not sent, and a letter that has come and is not read.
    post.write("simoom-2", due_at(post, "simoom-2"), post.think("simoom-2", due_at(post, "simoom-2")))
    post.tell("tick")
    post.write("harmattan-1", first, coming)
    # And one that lies in the Maildir still.
    seat = due_at(post, "ostro-5")
    moves = post.think("ostro-5", seat)
    (post.folder / WAY_IN / "new" / "1").write_bytes(post.seats_of("ostro-5")[seat].answer("ostro-5", moves))
    return {
        "coming": {"harmattan-1": [f"{first}: {coming}", ": ".join(planned)], "ostro-5": [f"{seat}: {moves}"]},
        "away": {"harmattan-1": [third, AWAY]},
        "standing": {"mistral-4": "red: roll"},
    }


def take_in(post: Post) -> None:
    """A table that is made of a record."""
    path = post.record("harmattan-1", post.folder / "bare.turns", "--bare")
    seats = {"red": "anna", "blue": "boris", "green": "chloe"}
    post.tell("record", IMPORTED, "--import", str(path), *seat_words(seats))
    path.unlink()
    post.handle()


def keep(post: Post, folder: Path, foreseen: dict[str, Any]) -> None:
    """Write the archive: a copy of the database, settings, keys, mailboxes, and all that can be printed now."""
    kept = post.folder.parent / "kept"
    for name in ("records", "secrets"):
        (kept / name).mkdir(parents=True)
    for table in post.tables():
        post.record(table, kept / "records" / f"{table}.turns")
        post.record(table, kept / "secrets" / f"{table}.turns", "--secrets")
    (kept / "status.json").write_text(post.tell("status", "--all", "--json"), "utf-8")
    (kept / "post.pub").write_text(post.tell("key"), "utf-8")
    (kept / "log.txt").write_text(post.tell("log"), "utf-8")
    post.tell("case", "show", "levanter-3", "1", "-o", str(kept / "page.txt"))
    post.tell("case", "bundle", "levanter-3", "1", "-o", str(kept / "case.zip"))
    post.tell("backup", str(kept / "post.db"))
    for name in ("post.toml", "ticket.key", "signing.key"):
        (kept / name).write_bytes((post.folder / name).read_bytes())
    (post.folder / WAY_IN).rename(kept / WAY_IN)
    for player in post.players.values():
        box = kept / "mailboxes" / player.address
        for name in ("cur", "new", "tmp"):
            (box / name).mkdir(parents=True)
        for number, raw in enumerate(player.read(), 1):
            # Names as the system gives them would tell on which machine this was made.
            (box / "cur" / f"{number:04}").write_bytes(raw)
    endings = {IMPORTED: "adjudicate", **{table.name: table.ending for table in TABLES}}
    (kept / "foreseen.json").write_text(
        json.dumps({"endings": endings, **foreseen}, indent=1, sort_keys=True) + "\n", "utf-8"
    )
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / ARCHIVE, "w:xz", preset=9) as archive:
        archive.add(kept, ".", filter=_private)


def _private(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A file as its owner alone may read it, whoever made it and when."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o700 if member.isdir() else 0o600
    member.mtime = 0
    return member


def make(folder: Path, run: Run = run_process) -> None:
    """Make a post, play at it, and keep it in a folder."""
    with TemporaryDirectory() as place:
        post = Post(Path(place) / "post", run)
        found(post)
        open_tables(post)
        playing = [table.name for table in TABLES if table.name not in (INVITING, CALLED_OFF)]
        post.play(playing, 1)
        for table, seat in WITH_PICTURES:
            post.say(table, seat, "plain on")
        post.play(playing, 11)
        take_back(post, "harmattan-1")
        judge(post, "ostro-5")
        bring_odd_letters(post)
        take_in(post)
        post.play([table for table in playing if table != "zephyr-6"], 12)
        post.play(["levanter-3", FINISHED], 12)
        post.play([FINISHED], 60)
        keep(post, folder, leave_things_open(post))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Make a half-played post, to be kept in the tests.")
    parser.add_argument("folder", type=Path, help="where to put the archive")
    make(parser.parse_args().folder)


if __name__ == "__main__":
    main()
