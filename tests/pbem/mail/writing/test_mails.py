"""Every mail that the post writes keeps the same promises, whatever it is about."""

import re
from collections.abc import Callable
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import pytest

from engine.registry import find_game
from engine.through_the_desert import GAME
from notation import Fault, read_moves
from pbem.judging.submission import judge_at
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Plan, Play
from pbem.mail.format import FENCES, is_reply_mark
from pbem.mail.post_commands.reader import parse_post_letter
from pbem.mail.reading import Letter, read_letter
from pbem.mail.reply_address import PostIdentity
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.encoded_lines import WIDTH
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import ReplyMail, TurnMail
from pbem.tables.play import Pending
from tests.post.mailed_games import Game

HEADERS = [
    *("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted"),
    *("X-Auto-Response-Suppress", "X-Loop", "List-Id", "List-Unsubscribe", "MIME-Version", "Content-Type"),
]
IDENTITY = PostIdentity("caravan@post.example", None, b"a key for tests")


def test_every_kind_is_written(mails: dict[str, Mail]) -> None:
    kinds = {mail.kind for mail in mails.values()}
    assert kinds == {
        *("invitation", "turn", "receipt", "refusal", "question", "answer", "news", "vote", "pause", "called-off"),
        "pencilled",
        *("digest", "reminder", "game-over", "press", "stands", "doubt", "notice", "case"),
    }


def test_another_reader_of_mail_finds_the_parts_and_no_defect(mails: dict[str, Mail]) -> None:
    for name, mail in mails.items():
        read = message_from_bytes(mail.raw, policy=policy.default)
        assert isinstance(read, EmailMessage)
        assert not [part.defects for part in read.walk() if part.defects], name
        assert [key for key, _ in read.items()] == HEADERS, name
        body = read.get_body(("html",))
        assert body is not None, name
        pictures = [part for part in read.walk() if part.get_content_type() == "image/png"]
        named = re.findall(r'src="cid:([^"]+)"', body.get_content())
        assert [f"<{cid}>" for cid in named] == [part["Content-ID"] for part in pictures], name
        for part in pictures:
            assert part.get_content().startswith(b"\x89PNG"), name


def test_a_finished_game_comes_with_its_record(mails: dict[str, Mail]) -> None:
    read = message_from_bytes(mails["game-over"].raw, policy=policy.default)
    (record,) = [part for part in read.walk() if part.get_filename() == "sirocco-7.turns"]
    assert record.get_content().startswith('[Format "1"]')
    assert "end: normal" in record.get_content()


def test_all_mails_of_a_game_to_a_seat_refer_to_one_mail_and_say_what_is_wanted(mails: dict[str, Mail]) -> None:
    read = {name: message_from_bytes(mail.raw) for name, mail in mails.items()}
    red = [mail for name, mail in read.items() if mails[name].seat == "red"]
    assert len({mail["References"] for mail in red}) == 1
    assert {mail["In-Reply-To"] for mail in red} == {mail["References"] for mail in red}
    subjects = {name: str(make_header(decode_header(mail["Subject"]))) for name, mail in read.items()}
    assert {subject.split("] ")[0] for subject in subjects.values()} == {"[sirocco-7"}
    assert subjects["turn"] == "[sirocco-7] Your turn 61: answer by Thu 19 Nov"
    assert subjects["invitation"] == "[sirocco-7] Boris invites you: Through the Desert"
    assert subjects["brotherhood-base-offer"] == "[sirocco-7] Chloé gives 1 brick for 1 lumber: answer by Thu 19 Nov"
    assert (
        subjects["news"] == subjects["digest"] == subjects["press"] == "[sirocco-7] Through the Desert: what happened"
    )
    assert read["duplicate"]["References"] != read["turn"]["References"]
    assert len({mail["Message-ID"] for mail in read.values()}) == len(read)


def test_the_same_mail_composed_again_is_the_same_to_the_byte(
    mails: dict[str, Mail], write_mails: Callable[..., dict[str, Mail]], composer: Composer
) -> None:
    assert {name: mail.raw for name, mail in write_mails(composer).items()} == {
        name: mail.raw for name, mail in mails.items()
    }


def test_robots_are_told_that_a_robot_writes(mails: dict[str, Mail]) -> None:
    for name, mail in mails.items():
        read = message_from_bytes(mail.raw)
        answers = mail.kind in ("receipt", "refusal", "question", "pencilled", "answer", "stands", "doubt")
        assert read["Auto-Submitted"] == ("auto-replied" if answers else "auto-generated"), name
        assert read["List-Id"] == "<sirocco-7.post.example>"
        assert read["List-Unsubscribe"].startswith("<mailto:caravan%2B")


def test_our_own_intake_never_answers_our_mail(mails: dict[str, Mail]) -> None:
    for name, mail in mails.items():
        letter = read_letter(mail.raw, post=IDENTITY)
        assert isinstance(letter, Letter), name
        assert letter.automatic == "own-mail", name


def test_the_mark_stands_first_in_both_parts(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], shown: Callable[[str], list[str]]
) -> None:
    for name, mail in mails.items():
        text, page = read(mail)["text/plain"], read(mail)["text/html"]
        assert is_reply_mark(text.splitlines()[0]), name
        assert is_reply_mark(shown(page)[0]), name


def test_no_line_of_a_mail_is_an_order_even_where_a_program_quotes_it_without_marks(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], shown: Callable[[str], list[str]]
) -> None:
    lines: dict[str, str] = {}
    for name, mail in mails.items():
        found = read(mail)
        for part in (found["text/plain"].splitlines(), shown(found["text/html"])):
            lines |= dict.fromkeys(part, name)
            parsed = parse_commands("\n".join(part[:150]), game=GAME)
            found_moves = parsed.commands or parsed.pencilled
            assert not [each for each in found_moves if isinstance(each, Play | Plan)], name
    for line, name in lines.items():
        assert isinstance(read_moves(GAME, line), Fault), (name, line)
        assert not parse_commands(line, game=GAME).commands, (name, line)


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_an_answer_above_our_mail_is_read_alone_even_where_nothing_marks_the_quotation(
    kind: str, mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for name, mail in mails.items():
        found = read(mail)
        if kind == "plain":
            body = f"lilac N5 M6\n\n{found['text/plain']}"
        else:
            body = found["text/html"].replace("<table role", "<p>lilac N5 M6</p><table role", 1)
        answer = EmailMessage()
        answer["From"], answer["To"], answer["Subject"] = "anna@example.org", "caravan@post.example", "Re: sirocco-7"
        answer.set_content(body, subtype=kind)
        letter = read_letter(answer.as_bytes(), post=IDENTITY)
        assert isinstance(letter, Letter), name
        assert letter.words == "lilac N5 M6", name


def test_text_is_narrow_and_complete_in_itself(mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]) -> None:
    for name, mail in mails.items():
        text = read(mail)["text/plain"]
        assert max(map(len, text.splitlines())) <= WIDTH, name
        assert "\n\n\n" not in text, name
        assert not re.search(r"[ \t]+$", text, re.MULTILINE), name
        assert "mailto:" not in text, name
        assert "<" not in text.replace("<script>", ""), name


def test_text_alone_is_sent_to_those_who_want_it(
    write_mails: Callable[..., dict[str, Mail]],
    composer: Composer,
    mails: dict[str, Mail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    for name, mail in write_mails(composer, plain=True).items():
        opened = message_from_bytes(mail.raw)
        kinds = [part.get_content_type() for part in opened.walk() if part.get_filename() is None]
        assert kinds in (["text/plain"], ["multipart/mixed", "text/plain"]), name
        assert mail.picture == b""
        usual = " ".join(read(mails[name])["text/plain"].split())
        told = " ".join(read(mail)["text/plain"].split())
        assert told == usual or name in ("fewer", "asked, fewer mails"), f"{name} says more than that this was chosen"


@pytest.mark.parametrize("notices", ["each", "turn", "daily 08:00"])
def test_every_mail_says_how_to_get_fewer_of_them(
    write_mails: Callable[..., dict[str, Mail]],
    composer: Composer,
    read: Callable[[Mail], dict[str, str]],
    notices: str,
) -> None:
    mail = write_mails(composer, notices=notices)["turn"]
    head = message_from_bytes(mail.raw)
    assert "Words we know: rules, board, help, fewer mails." in read(mail)["text/plain"]
    fewer = {"each": "notify%20turn", "turn": "notify%20daily"}.get(notices)
    assert (fewer in head["List-Unsubscribe"]) if fewer else head["List-Unsubscribe"] is None


OTHERS = {key: find_game(key) for key in ("nomadi", "brotherhood-base", "brotherhood")}
"""The games that mails are about besides Through the Desert, by how the names of those mails begin."""
NAMED = Pending(False, lambda _: True, names={"boris": "blue"})
"""What a letter's reader knows of the table: a player can be called by name."""


def links(page: Any) -> list[tuple[str, str, str]]:
    """Where each link of a page writes to, with which subject and which body."""
    found = []
    for link in page.iter("a"):
        address, _, query = link.get("href").removeprefix("mailto:").partition("?")
        fields = dict(part.split("=", 1) for part in query.split("&"))
        found.append((unquote(address), unquote(fields["subject"]), unquote(fields.get("body", ""))))
    return found


def test_a_tapped_answer_goes_to_the_ticket_and_each_of_its_lines_is_read_as_one_command(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    seen = set()
    for name, mail in mails.items():
        for address, subject, body in links(tree(read(mail)["text/html"])):
            assert address == "caravan+sirocco-7.red.12.0.abcdefghijklmnop@post.example"
            game = next((game for key, game in OTHERS.items() if name.startswith(key)), GAME)
            assert game is not None
            written = str(make_header(decode_header(message_from_bytes(mail.raw)["Subject"])))
            assert subject == f"Re: {written.removeprefix('Re: ')}"
            if body and not body.startswith("press to") and "___" not in body:  # which are to be filled in
                parsed = parse_commands(body, game=game, pending=NAMED if " Boris" in body else None)
                done = parsed.commands or parse_post_letter(body).commands  # a rematch is for the post itself
                assert len(done) == len(body.splitlines()), (name, body)
                seen |= {type(command).__name__ for command in parsed.commands}
    assert seen == {
        *(
            "AcceptInvitation",
            "DeclineInvitation",
            "SetNotices",
            "SetPlain",
            "SetCalendar",
            "Vacation",
            "ShowBoard",
            "AskRule",
            "ShowRules",
            "Play",
            "Preview",
            "Agree",
            "Ask",
            "Object",
            "PlayPencilled",
            "StopPencil",
            "Mute",
            "Report",
            "SetNotices",
        ),
    }


def test_the_example_of_a_turn_mail_is_legal_and_a_whole_turn(
    played: Callable[[int], Game], compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for turns in (0, 3, 19, 20, 40, 70):
        game = played(turns)
        (seat,) = game.table.due
        mail = compose(game.table, TurnMail(game.since(seat)), seat=seat)
        (example,) = re.findall(r"^For example: (.*)$", read(mail)["text/plain"], re.MULTILINE)
        decision = game.do(seat, Play(example))
        assert decision.ruling.is_legal, example
        assert decision.ruling.complete, example


def test_help_says_how_moves_are_written_with_one_that_is_legal_now(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(60)
    told = " ".join(read(compose(game.table, answer(game, "red", "help")))["text/plain"].split())
    assert "How to write a move Write it like this: COLOUR SPACE, COLOUR SPACE For example: " in told
    example = re.search(r"For example: (\w+ \w+, \w+ \w+)", told)
    assert example is not None
    assert judge_at(GAME, game.table.position, "red", example[1]).complete
    waiting = read(compose(game.table, answer(game, "blue", "help"), seat="blue"))["text/plain"]
    assert "Write it like this: lilac F4, salmon C9" in waiting
    assert "A legal example" not in waiting


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_a_fence_stands_in_one_line(
    code: str,
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(60)
    lines = read(compose(game.table, answer(game, "red", "help"), language=code))["text/plain"].splitlines()
    for fence in FENCES[code]:
        assert sum(fence in line for line in lines) == 1


def test_who_was_not_understood_gets_the_own_move_back_and_never_another(
    start_game: Callable[..., Game], compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    table = start_game().table
    (due,) = table.due
    unreadable = parse_commands("leader lilac zz9", game=GAME)
    text = read(compose(table, ReplyMail(unreadable), seat=due))["text/plain"]
    assert "This could be read:" not in text
    assert "lilac F4" not in text
    unknown = parse_commands("haikara lentää matalalla: leader lilac F4", game=GAME)
    mail = read(compose(table, ReplyMail(unknown), seat=due))
    assert "Play leader lilac F4" in mail["text/html"]
    assert "body=leader%20lilac%20F4" in mail["text/html"]


def test_every_mail_is_numbered_and_carries_the_head_of_the_chain(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for number, (name, mail) in enumerate(mails.items(), start=1):
        parts = read(mail)
        (head,) = set(re.findall(rf"Mail {number} · ([0-9a-f]{{8}}) ·", "".join(parts.values())))
        whole = re.findall(rf"\b{head}[0-9a-f]{{56}}\b", parts["text/plain"])
        assert len(whole) == 1
        if name != "asked, proof":  # there it is what was asked for
            assert parts["text/plain"].rstrip().splitlines()[-1].split()[1] == whole[0], "the proof stands last"
            assert whole[0] not in parts["text/html"]


def test_a_picture_is_the_same_piece_in_all_mails_of_a_position(mails: dict[str, Mail]) -> None:
    assert mails["turn"].picture
    assert mails["turn"].picture is mails["reminder"].picture
    assert mails["turn"].picture != mails["receipt"].picture
    assert mails["turn"].raw == mails["turn"].before + mails["turn"].picture + mails["turn"].after


def test_nobody_is_addressed_but_the_reader(mails: dict[str, Mail]) -> None:
    for name, mail in mails.items():
        assert message_from_bytes(mail.raw)["To"].endswith(f"<{mail.to}>"), name


def test_news_that_matter_are_their_own_headline(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    def headline(name: str) -> str:
        (found,) = tree(read(mails[name])["text/html"]).iter("h1")
        return found.text or ""

    assert headline("vote-dropped") == "Green (Chloé) says no: to take it back"
    assert headline("news") == "Anna played"
