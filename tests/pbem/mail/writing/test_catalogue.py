"""Translators get every sentence that a mail can ask for, and none that no mail says; what they made of them is whole,
true to the sentences, and compiled.
"""

import io
import re
from collections.abc import Callable
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from engine.chance import KeyedDealer
from engine.registry import IN_HOUSE, find_game
from notation import read_text
from pbem.events.kinds import KINDS
from pbem.judging.lookahead import sample_game
from pbem.judging.record_replay import replay_record
from pbem.locale.catalogues import DOMAIN, find_locale
from pbem.locale.languages import LANGUAGE_CODES, locale_folder
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.extractor import extract_sentences
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import TurnMail
from pbem.render import choose_template
from tests.conftest import Run
from tests.known_games import known_game
from tests.pbem.mail.writing.pseudo_language import Pseudo
from tests.post.mailed_games import Game

TRANSLATED_LANGUAGES = sorted({*LANGUAGE_CODES} - {"en"})
TRANSLATED = 0.97
"""How much of a catalogue must be there: who adds a sentence need not know four languages."""
PLACE = re.compile(r"%\(\w+\)s|\{\w*\}")

every_language = pytest.mark.parametrize("code", TRANSLATED_LANGUAGES)


@pytest.fixture(scope="module")
def gathered(root: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """All sentences, each with its context, gathered as templates/locale/README.md says."""
    page = (root / "templates/locale/README.md").read_text("utf-8")
    (command,) = re.findall(r"^pybabel extract .*$", page, re.MULTILINE)
    target = tmp_path_factory.mktemp("locale") / "caravan-post.pot"
    told = run(*command.replace("-o caravan-post.pot", f"-o {target}").split())
    assert told.returncode == 0, told.stderr
    with target.open("rb") as opened:
        catalogue = read_po(opened)
    return {
        (message.context or "", str(each))
        for message in catalogue
        for each in (message.id if isinstance(message.id, tuple) else (message.id,))
    }


def test_every_sentence_that_a_mail_asks_for_is_gathered(
    gathered: set[tuple[str, str]], turned: dict[str, Mail], pseudo: Pseudo
) -> None:
    assert turned
    # Words without a blank are notation: a player writes leader and pass in every language.
    missing = {(context, said) for context, said in pseudo.asked - gathered if " " in said}
    assert missing == set()
    assert len(pseudo.asked) > 150


@pytest.mark.parametrize(
    ("context", "said"),
    [
        ("", 'Mail %(number)s · %(head)s · reply "proof" for the rest'),
        ("", "Give up %(count)s cards"),
        ("", "Place two camels"),
        ("camel", "green"),
        ("player", "green"),
        ("", "turn {turn} is played already; the game is at turn {now}"),
        ("", "{maker} has changed the offer since; answer the new one"),
        ("", "A camel may not touch a camel of its colour that belongs to another player."),
    ],
)
def test_sentences_from_every_kind_of_place_are_gathered(
    context: str, said: str, gathered: set[tuple[str, str]]
) -> None:
    assert (context, said) in gathered


@pytest.mark.parametrize("key", IN_HOUSE)
def test_why_there_are_points_is_gathered_for_every_game(key: str, gathered: set[tuple[str, str]]) -> None:
    game = known_game(key)
    said = set()
    for number in range(3):
        record = sample_game(game, seats=game.seats[:4], dealer=KeyedDealer(b"points %d" % number), name="points")
        said |= {line.says for tally in replay_record(record).score.tallies for line in tally.lines if line.points}
    assert len(said) > 2
    assert {says for says in said if ("", says) not in gathered} == set()


def test_why_a_record_is_refused_is_gathered(root: Path, gathered: set[tuple[str, str]]) -> None:
    said = set()
    for path in (root / "tests/refused").rglob("*.turns"):
        (reading,) = read_text(path.read_text("utf-8"))
        assert reading.record is not None
        refusal = replay_record(reading.record).refusal
        assert refusal is not None
        said.add(refusal.verdict.says)
    assert len(said) > 100
    assert {says for says in said if ("", says) not in gathered} == set()


def test_no_sentence_is_kept_that_no_mail_says(root: Path) -> None:
    words = (root / "templates/mails/words.txt").read_text("utf-8")
    code = "".join(path.read_text("utf-8") for path in (root / "pbem/mail/writing").rglob("*.py"))
    code += " ".join(f'"told_{kind}"' for kind in KINDS)
    unsaid = [name for name in re.findall(r"{% macro (\w+)\(", words) if not re.search(rf"""["']{name}["']""", code)]
    assert unsaid == []


def test_sentences_are_found_in_code_however_they_are_passed_on() -> None:
    source = '''
"""A module explains itself."""
X = Rule("TD-1", "a-name", "One rule.", "Book, page 1", obeys="a -- fits", breaks="b -- does not")
PATTERN = re.compile(r"one (?:or) two")
NAMES = ("jan январ ינואר", "forest5 hills6 forest5", "Polish rulebook, Oazy; Russian, Оазисы")
Judge: TypeAlias = "Callable[[Table], Verdict | None]"
def judge(it: "Seat | None") -> "Verdict | None":
    """So does a function."""
    if bad:
        raise ValueError("this is for engineers")
    return ("no {thing} here" if x else "not now", {"key": f"put together {now}"})
'''
    found = [said for _, _, said, _ in extract_sentences(io.BytesIO(source.encode()), (), (), {})]
    assert set(found) == {
        *("One rule.", "Book, page 1", "a -- fits", "b -- does not", "no {thing} here", "not now"),
        ("rule", "a name"),
        "Polish rulebook, Oazy; Russian, Оазисы",
    }


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Callable[[str], Catalog]:
    """The catalogue of a language as translators see it."""

    def read(code: str) -> Catalog:
        with (root / f"templates/locale/{code}/LC_MESSAGES/{DOMAIN}.po").open("rb") as opened:
            return read_po(opened, locale=code, abort_invalid=True)

    return read


def forms(message: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a message says in English and in the other language, one form or several."""
    said = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
    told = message.string if isinstance(message.string, (tuple, list)) else (message.string or "",)
    return tuple(said), tuple(told)


def translated(catalogue: Catalog) -> list[Message]:
    return [message for message in catalogue if message.id and all(forms(message)[1])]


def test_every_language_that_can_be_chosen_has_a_catalogue() -> None:
    found = {path.parents[1].name for path in locale_folder("en").parent.glob(f"*/LC_MESSAGES/{DOMAIN}.po")}
    assert found == {*TRANSLATED_LANGUAGES}


@every_language
def test_what_is_read_at_run_time_is_what_was_translated_last(code: str, catalogue: Callable[[str], Catalog]) -> None:
    locale = find_locale(code)
    assert locale.code == code
    assert isinstance(locale.translations, GNUTranslations)
    compiled = locale.translations._catalog  # type: ignore[attr-defined]  # what was compiled, all of it
    told: dict[str | tuple[str, int], str] = {}
    for message in translated(catalogue(code)):
        said, theirs = forms(message)
        key = f"{message.context}\x04{said[0]}" if message.context else said[0]
        told |= {(key, number): form for number, form in enumerate(theirs)} if len(said) > 1 else {key: theirs[0]}
    assert compiled == told | {"": compiled[""]}


@every_language
def test_a_translation_has_all_the_places_of_its_sentence(code: str, catalogue: Callable[[str], Catalog]) -> None:
    for message in translated(catalogue(code)):
        said, told = forms(message)
        for form in told[:-1]:
            assert set(PLACE.findall(form)) <= set(PLACE.findall("".join(said))), message.id
        assert set(PLACE.findall(told[-1])) == set(PLACE.findall(said[-1])), message.id


@every_language
def test_a_record_is_the_same_in_every_language(code: str, catalogue: Callable[[str], Catalog]) -> None:
    examples = [message for message in translated(catalogue(code)) if " -- " in forms(message)[0][0]]
    assert len(examples) > 100
    for message in examples:
        (said,), (told,) = forms(message)
        if said.startswith("[") or said[0].isdigit():  # a line of a record; mails put its moves into words
            assert told.partition(" -- ")[0] == said.partition(" -- ")[0]


@every_language
def test_a_translation_brings_no_markup_of_its_own(code: str, catalogue: Callable[[str], Catalog]) -> None:
    for message in translated(catalogue(code)):
        said, told = map("".join, forms(message))
        # Jinja takes a catalogue's word for safe.
        assert set(told) & set("<>&") <= set(said), message.id
        assert told.isprintable() or not said.isprintable(), message.id


@every_language
def test_every_number_has_its_form(code: str, catalogue: Callable[[str], Catalog]) -> None:
    opened = catalogue(code)
    for message in translated(opened):
        said, told = forms(message)
        assert len(told) == (opened.num_plurals if len(said) > 1 else 1), message.id


def test_two_of_a_thing_have_their_own_form_in_hebrew(catalogue: Callable[[str], Catalog]) -> None:
    assert catalogue("he").num_plurals == 3


@every_language
def test_a_catalogue_is_whole_and_holds_nothing_that_is_gone(
    code: str, catalogue: Callable[[str], Catalog], gathered: set[tuple[str, str]]
) -> None:
    opened = catalogue(code)
    there = {(message.context or "", said) for message in opened if message.id for said in forms(message)[0]}
    assert there - gathered == set(), "run pybabel update as templates/locale/README.md says"
    assert opened.obsolete == {}
    assert not any(message.fuzzy for message in opened if message.id), "a guess of pybabel that nobody has looked at"
    done = {(message.context or "", said) for message in translated(opened) for said in forms(message)[0]}
    assert len(done) >= TRANSLATED * len(gathered)


@every_language
def test_a_mail_of_any_kind_finds_all_its_sentences(
    code: str, catalogue: Callable[[str], Catalog], turned: dict[str, Mail], pseudo: Pseudo
) -> None:
    assert turned
    done = {(message.context or "", said) for message in translated(catalogue(code)) for said in forms(message)[0]}
    assert {(context, said) for context, said in pseudo.asked - done if " " in said} == set()


@pytest.mark.parametrize(
    ("code", "day"), [("he", "יום ה׳, 19 בנוב׳"), ("nl", "do 19 nov"), ("pl", "czw., 19 lis"), ("ru", "чт, 19 нояб.")]
)
def test_dates_are_said_as_people_say_them(
    code: str,
    day: str,
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(60)
    text = read(compose(game.table, TurnMail(game.since("red")), language=code))["text/plain"]
    assert day in text
    assert "Nov" not in text


@pytest.mark.parametrize(
    ("key", "words", "order"),
    [
        ("through-the-desert", "colours", "{} F4"),
        ("brotherhood", "resources", "tarly {}"),
        ("brotherhood", "heroes", "swap {}"),
    ],
)
@every_language
def test_what_a_mail_calls_a_thing_can_be_written_in_a_move(code: str, key: str, words: str, order: str) -> None:
    named = getattr(choose_template(key, "words.txt", find_locale(code)).module, words)
    assert len(named) >= 5
    for word, name in named.items():
        (command,) = parse_commands(order.format(name), game=find_game(key)).commands
        assert command == Play(order.format(word))
