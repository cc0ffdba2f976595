"""Three strangers meet at a post over real mail hosts: nobody touches a shell from the first letter to the rematch.

Everything they know comes by mail. Their server vouches for them (see `postfix-main.cf`), so the lobby is open.
"""

import re
import smtplib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.demo.mail_programs import PROGRAMS
from pbem.judging.record_replay import replay_record
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.settings.sections import Settings
from tests.post.people.desks import Mail, text_of
from tests.post.post_games import Friend, found_post
from tests.post.running.served_post import serving, until

POST = "caravan@post.test"
PLAYERS, ELSEWHERE = "127.0.0.2", "127.0.0.3"
"""Where letters of players.test leave from, and where somebody sits who only says so."""
BUTTON = re.compile(r'<a [^>]*href="(mailto:[^"]+)"[^>]*>(.*?)</a>', re.DOTALL)
TABLE = re.compile(r"\+([a-z]+-[0-9]+)\.")


@dataclass
class Stranger(Friend):
    """Somebody with a mailbox at Dovecot, who answers by hand and by button."""

    hosts: Any = None
    example: str = ""
    """How a mail in this language begins its example of a move."""
    seen: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)

    def look(self) -> list[Mail]:
        """All mails so far, those of today's post last."""
        new = self.hosts.maildir(self.address.partition("@")[0]) / "new"
        fresh = [path for path in new.iterdir() if path.name not in self.seen] if new.is_dir() else []
        for path in sorted(fresh, key=lambda path: path.stat().st_mtime_ns):
            self.seen.add(path.name)
            self.get(path.read_bytes())
        return self.mails

    def send(self, raw: bytes, to: str, *, place: str = PLAYERS) -> None:
        """Hand a letter to our mail server, from the server of players.test or from elsewhere."""
        port = self.hosts.ports["SMTP"]
        with smtplib.SMTP("127.0.0.1", port, timeout=40, source_address=(place, 0)) as server:
            assert server.sendmail(self.address, [to], raw) == {}

    def write(self, to: str, subject: str, words: str, *, place: str = PLAYERS, claims: str = "") -> None:
        """A letter that answers nothing, or one that a button opened."""
        mail = EmailMessage(policy=SMTP)
        if claims:
            mail["Authentication-Results"] = claims
        mail["From"], mail["To"], mail["Subject"] = f"{self.name} <{self.address}>", to, subject
        mail["Message-ID"] = make_msgid(domain="players.test")
        mail.set_content(f"{words}\n")
        self.send(mail.as_bytes(), to, place=place)

    def say(self, words: str) -> Mail:
        """Answer the last mail; what the post answers."""
        return self._next(lambda: self.send(self.answer(words), self.reply_to))

    def press(self, label: str, mail: "Mail | None" = None) -> None:
        """Press a button of a mail, the last one if none is named: the program opens a letter, and it is sent."""
        page = next(part for part in (mail or self.mails[-1]).walk() if part.get_content_type() == "text/html")
        content = page.get_payload(decode=True)
        assert isinstance(content, bytes)
        found = BUTTON.findall(content.decode("utf-8"))
        (link,) = [unescape(link) for link, said in found if label in re.sub(r"<[^>]+>|[\u2066-\u2069]", "", said)]
        parts = urlsplit(link)
        asked = parse_qs(parts.query)
        self.write(unquote(parts.path), asked["subject"][0], asked["body"][0])

    def pressed(self, label: str) -> Mail:
        """Press a button; what the post answers."""
        return self._next(lambda: self.press(label))

    def come_in(self, hello: str) -> Mail:
        """Write to the post out of nowhere; the welcome."""
        assert self.look() == [], "the mailbox should be empty"
        return self._next(lambda: self.write(POST, hello, hello))

    def _next(self, act: Callable[[], None]) -> Mail:
        count = len(self.look())
        act()
        until(lambda: len(self.look()) > count)
        return self.mails[-1]

    def play(self) -> bool:
        """Answer a mail that asks for a move with the move that it suggests; whether there was one."""
        asked = [mail for mail in self.look() if str(mail["Message-ID"]) not in self.answered]
        for mail in asked:
            self.answered.add(str(mail["Message-ID"]))
            suggested = re.search(rf"^{self.example}: (.+)$", text_of(mail), re.MULTILINE)
            if suggested is not None and TABLE.search(str(mail["Reply-To"])):
                mails, self.mails = self.mails, [mail]
                self.send(self.answer(re.sub(r"[\u2066-\u2069\u200e\u200f]", "", suggested[1])), self.reply_to)
                self.mails = mails
                return True
        return False

    def find(self, words: str) -> "Mail | None":
        """The first mail in whose text some words stand."""
        return next((mail for mail in self.look() if words in text_of(mail)), None)


@dataclass
class Town:
    """The post in its folder, and three people whom it has never heard of."""

    folder: Path
    settings: Settings
    lena: Stranger
    ola: Stranger
    dov: Stranger
    emil: Stranger


@pytest.fixture
def town(hosts: Any, tmp_path: Path) -> Iterator[Town]:
    folder = tmp_path / "post"
    folder.mkdir()
    (folder / "smtp.password").write_text("open sesame", "utf-8")
    chosen = {
        "post.authserv_id": "mx.test",
        "post.notices": "wanted",
        "post.answers_per_hour": 1_000,
        "in.lmtp.port": hosts.ports["OURS"],
        "out.kind": "smtp",
        "out.host": "127.0.0.1",
        "out.port": hosts.ports["SMTP"],
        "out.ca_file": hosts.ca,
        "out.user": "caravan",
        "out.password_file": "smtp.password",
        "log.form": "json",
    }
    examples = {"lena": "For example", "ola": "Na przykład", "dov": "לדוגמה", "emil": "For example"}
    people = {
        name: Stranger("", name.capitalize(), f"{name}@players.test", program, hosts=hosts, example=words)
        for program, (name, words) in zip(PROGRAMS, examples.items(), strict=True)
    }
    yield Town(folder, found_post(folder, chosen), **people)
    for friend in people.values():
        for path in (hosts.maildir(friend.address.partition("@")[0]) / "new").glob("*"):
            path.unlink()


def subject_of(mail: Mail) -> str:
    return str(make_header(decode_header(str(mail["Subject"]))))


def test_three_strangers_come_in_meet_play_a_game_to_its_end_and_another(town: Town) -> None:
    lena, ola, dov = players = (town.lena, town.ola, town.dov)
    with serving(town.folder / "post.toml") as post:
        assert "Welcome to" in subject_of(lena.come_in("What is this?"))
        assert "Welcome, lena" in text_of(lena.pressed("Yes, this is me"))
        opened = text_of(lena.say("name Lena\nopen through the desert seats 3 pace 2d"))
        assert "It begins when 2 more players have joined." in opened
        ola.come_in("Dzień dobry!")
        assert "Witaj, Ola" in text_of(ola.say("tak, jestem Ola"))
        assert "(Lena" in text_of(ola.say("stoły"))
        (table,) = {found[1] for found in re.finditer(r"\b(sirocco-[0-9]+)", text_of(ola.mails[-1]))}
        ola.pressed(f"Dołącz do {table}")
        dov.come_in("שלום")
        assert "Dov" in text_of(dov.say("כן, אני Dov"))
        dov.say("שולחנות")
        dov.pressed(table)
        turns = play_on(players, lambda: all(last_word(player, table) for player in players))
        ends = {player.name: last_word(player, table) for player in players}
        lena.press("Rematch", ends["Lena"])
        until(lambda: [mail for mail in ola.look() if "+in." in str(mail["Reply-To"])])
        ola.press("Tak, gram")
        dov.press("משחק גומלין", ends["Dov"])
        play_on(players, lambda: any(other_table(player, table) for player in players), most=0)
        again = {other_table(player, table) for player in players} - {""}
        assert play_on(players, lambda: False, most=3) == 3
        assert post.stop() == 0
    assert turns > 20
    assert len(again) == 1
    fates = [line["fate"] for line in post.told if line["said"] == "letter handled"]
    assert {*fates} == {"applied"}
    with open_post(town.settings) as context:
        record = read_record(context, table)
        assert record is not None
        assert replay_record(record).finished
        with context.store.reading() as at_desk:
            assert sorted(person.name for person in at_desk.people()) == ["Dov", "Lena", "Ola"]
            assert {row.id: row.stage for row in at_desk.games()} == {table: "over", again.pop(): "playing"}


def last_word(player: Stranger, table: str) -> "Mail | None":
    """The mail that says how a game ended: the whole game goes with it."""
    return player.find(f"{table}.turns")


def other_table(player: Stranger, table: str) -> str:
    found = [TABLE.search(str(mail["Reply-To"])) for mail in player.look()]
    return next((each[1] for each in found if each is not None and each[1] != table), "")


def play_on(players: tuple[Stranger, ...], enough: Callable[[], bool], *, most: int = 500) -> int:
    """Let everybody answer as mails come, until it is enough; how many turns they sent."""
    played = 0

    def once() -> bool:
        nonlocal played
        played += sum(player.play() for player in players) if most else 0
        return enough() or 0 < most <= played

    until(once)
    return played


def test_whoever_only_says_that_a_server_vouches_for_them_gets_no_welcome(town: Town) -> None:
    claims = "mx.test; dmarc=pass header.from=players.test"
    with serving(town.folder / "post.toml") as post:
        town.emil.write(POST, "hello", "hello", place=ELSEWHERE, claims=claims)
        town.emil.write(POST, "hello", "hello", place=ELSEWHERE)
        town.lena.come_in("hello")
        assert post.stop() == 0
    reasons = [line["reason"] for line in post.told if line["said"] == "letter handled"]
    # Postfix may still bring what somebody wrote when the post of another test had closed.
    assert sorted(each for each in reasons if each != "bad-ticket") == ["no-ticket", "no-ticket", "welcomed"]
    assert town.emil.look() == []
