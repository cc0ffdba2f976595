"""What a catalogue finds, the files give too, and a literal scan of the texts; and nothing secret is found."""

import json
import operator
import os
import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from engine.digest import digest
from engine.game import PUBLIC
from notation import COMMENT, Entry, Record, Remark, read_text, write_record
from pbem.catalogue import game_facts, query_match
from pbem.catalogue.catalogue_file import open_catalogue
from pbem.catalogue.plain_words import fold
from pbem.catalogue.query import OnView
from pbem.catalogue.update import Update
from pbem.judging.entries import redact_record
from pbem.judging.game_keys import chain_keys
from pbem.judging.open_record import OpenRecord
from pbem.judging.record_replay import replay_record
from pbem.judging.result import ReplayResult
from tests.pbem.catalogue.rows import rows, sampled

Pbem = Callable[..., Any]

GAMES = int(os.environ.get("CARAVAN_FOUND", "60"))
NAMES = ("Anna", "Łucja Żak", "Борис", "שָׁרָה", "Chloé", "anna maria")
SAYS = ("deep ravine", "Głęboki wąwóz!", "ещё раз", "יפה מאוד", "prachtig, één zet", "")


def described(n: int) -> str:
    """A game with names, an event, a date and a comment; every tenth one is refused, every seventh goes on."""
    pair = n // 2  # each is there twice, with other names
    key, players = (("through-the-desert", 2 + pair % 3), ("nomadi", 2 + pair % 2))[pair % 3 == 2]
    record = sampled(key, players, f"found {pair}")
    headers = [
        (name, NAMES[(n + len(value)) % len(NAMES)] if name.startswith("Seat.") else f"g{n}" if name == "Id" else value)
        for name, value in record.headers
    ]
    headers += [("Event", f"Fair {n % 4}"), ("Date", f"20{20 + n % 5}.{1 + n % 12:02}.07")]
    entries = list(record.entries)
    entries[9] = entries[9]._replace(remarks=(Remark(1, COMMENT, SAYS[n % len(SAYS)]),))
    if n % 7 == 3:
        entries = entries[: len(entries) // 2]
        headers = [(name, "*" if name == "Result" else value) for name, value in headers]
    text = write_record(Record(tuple(headers), tuple(entries)))
    return text.replace("\n12. ", "\n13. ", 1) if n % 10 == 4 else text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of games with its catalogue."""
    folder = tmp_path_factory.mktemp("found")
    texts = [described(n) for n in range(GAMES)]
    for n in range(3):
        (folder / f"{n}.turns").write_text("\n".join(texts[n::3]), "utf-8")
    with open_catalogue(folder / "c", create=True) as catalogue:
        Update(catalogue, jobs=1).run(str(folder / f"{n}.turns") for n in range(3))
    return folder


@pytest.fixture(scope="module")
def literal(folder: Path) -> list[tuple[str, int, str, Record]]:
    """Every game with its place, its text and its record, by the plainest means."""
    found = []
    for path in sorted(folder.glob("*.turns")):
        parts = path.read_text("utf-8").split("\n[Format")
        texts = [part if n == 0 else "[Format" + part for n, part in enumerate(parts)]
        lines = accumulate((text.count("\n") + 1 for text in texts[:-1]), initial=1)
        for line, text in zip(lines, texts, strict=True):
            record = read_text(text)[0].record
            assert record is not None
            found.append((str(path), line, text, record))
    return found


def seats(text: str) -> list[tuple[str, str]]:
    return re.findall(r'\[Seat\.(\w+) "(.*)"\]', text)


def winners(text: str) -> set[str]:
    result = re.search(r'\[Result "(.*)"\]', text)
    return set(re.findall(r"(\w+) -?\d+ won", result[1] if result else ""))


def turns(record: Record) -> int:
    return replay_record(record).turns


def views(record: Record) -> list[Any]:
    seen: list[Any] = []
    game = record.game
    assert game is not None
    replay_record(record, watch=lambda _, __, position: seen.append(game.view(position, PUBLIC)))
    return seen


def said(phrase: str, text: str, record: Record) -> bool:
    """Whether it stands in a game that is over, or in one in which nothing is hidden."""
    shown = redact_record(record, PUBLIC).entries
    return phrase in text and ("end:" in text or all(map(operator.eq, shown, record.entries)))


def is_legal(text: str, record: Record) -> bool:
    return replay_record(record).refusal is None


CASES: list[tuple[list[str], Callable[[str, Record], bool]]] = [
    (["player=ANNA"], lambda text, _: any(name == "Anna" for _, name in seats(text))),
    (["player=lucja zak"], lambda text, _: '"Łucja Żak"' in text),
    (["player=שרה", "game=nomadi"], lambda text, _: '"שָׁרָה"' in text and '"nomadi"' in text),
    (["player!=Anna"], lambda text, _: all(name != "Anna" for _, name in seats(text))),
    (["player~nna"], lambda text, _: any("nna" in name for _, name in seats(text))),
    (["seat.red=Борис"], lambda text, _: '[Seat.red "Борис"]' in text),
    (["won=chloe"], lambda text, record: is_legal(text, record) and any(
        name == "Chloé" and seat in winners(text) for seat, name in seats(text))),
    (["won=blue"], lambda text, record: is_legal(text, record) and "blue" in winners(text)),
    (["Event=fair 2", "date=2022"], lambda text, _: '"Fair 2"' in text and '[Date "2022.' in text),
    (["date>=2021-11", "date<2023"], lambda text, _: "2021.11" <= re.findall(r'Date "(.{7})', text)[0] < "2023"),
    (["Event~3"], lambda text, _: '[Event "Fair 3"]' in text),
    (["id=g17"], lambda text, _: '[Id "g17"]' in text),
    (["turns>52", "game=through-the-desert"], lambda text, each: '"through-the-desert"' in text and turns(each) > 52),
    (["seats=3"], lambda text, _: len(seats(text)) == 3),
    (["verdict=refused"], lambda text, record: not is_legal(text, record)),
    (["verdict=RC-T1"], lambda text, record: not is_legal(text, record)),
    (["result=*"], lambda text, _: '[Result "*"]' in text),
    (["ending=normal", "verdict=legal"], lambda text, record: "end: normal" in text and is_legal(text, record)),
    (["points>=60"], lambda text, record: (is_legal(text, record) and any(
        int(each) >= 60 for each in re.findall(r"\w+ (\d+)(?: won)?[,\"]", text.split("[Result")[1].split("\n")[0])))
        or (is_legal(text, record) and '"*"' in text and any(
            (replay_record(record).score.shown(seat) or 0) >= 60 for seat in record.seats))),
    (["words:ravine"], lambda text, record: said("ravine", text, record)),
    (["words:gleboki waw*"], lambda text, record: said("Głęboki wąwóz", text, record)),
    (["words:еще раз"], lambda text, record: said("ещё раз", text, record)),
    (["words:een zet"], lambda text, record: said("één zet", text, record)),
    (["words:zak fair"], lambda _, __: False),
]  # fmt: skip


def found(answer: Any) -> list[tuple[str, int]]:
    assert answer.exit_code == 0, answer.stderr
    return [(each["file"], each["line"]) for each in json.loads(answer.stdout)["results"]]


@pytest.mark.parametrize(("conditions", "holds"), CASES, ids=[" ".join(each) for each, _ in CASES])
def test_a_catalogue_the_files_and_a_literal_scan_agree(
    pbem: Pbem,
    folder: Path,
    literal: list[tuple[str, int, str, Record]],
    conditions: list[str],
    holds: Callable[[str, Record], bool],
) -> None:
    expected = [(file, line) for file, line, text, record in literal if holds(text, record)]
    assert expected or conditions in (["words:zak fair"], ["points>=60"]), "the games cannot tell"
    assert found(pbem("find", *conditions, "--in", folder / "c", "--json")) == expected
    assert found(pbem("find", *conditions, folder, "--json", "--jobs", "1")) == expected
    assert pbem("find", *conditions, "--in", folder / "c", "--count").stdout == f"{len(expected):,}\n"


def test_games_that_their_headers_rule_out_are_not_judged(
    pbem: Pbem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str | None] = []

    def judge(record: Record) -> ReplayResult:
        judged.append(record.header("Id"))
        return replay_record(record)

    monkeypatch.setattr(game_facts, "replay_record", judge)
    answer = pbem("find", "id=g17", "turns>1", "words:fair", folder, "--count", "--jobs", "1")
    assert answer.stdout == "1\n"
    assert judged == ["g17"]


def test_first_moves_are_found_by_whole_clauses_and_by_the_beginning_of_the_last(
    pbem: Pbem, folder: Path, literal: list[tuple[str, int, str, Record]]
) -> None:
    _, _, text, record = next(each for each in literal if "through-the-desert" in each[2] and each[3].entries)
    made = [line.partition(": ")[2] for line in text.splitlines() if re.match(r"\d+\. \w+: ", line)]
    clauses = [clause for line in made for clause in re.sub(r" \{.*\}", "", line).split(", ")]
    for asked in (clauses[:1], clauses[:3], [*clauses[:2], " ".join(clauses[2].split()[:2])], clauses[:9]):
        conditions = [f"moves:{', '.join(asked)}"]
        begins = re.compile(r"\A[^\n]*?" + r"(?: \{.*?\})?(?:, |\n\d+\. \w+: )".join(map(re.escape, asked)) + r"\b")
        expected = [
            (file, line)
            for file, line, each, _ in literal
            if begins.search(re.sub(r"\n\d+\. \*:[^\n]*", "", each).split("\n1. ", 1)[1].partition(": ")[2])
        ]
        assert len(expected) >= 2, "the same game is there twice"
        assert found(pbem("find", *conditions, "--in", folder / "c", "--json")) == expected
        assert found(pbem("find", *conditions, folder, "--json", "--jobs", "1")) == expected
    assert record.seats


def test_positions_are_found_by_digest_by_a_record_and_by_a_pattern_on_the_view(
    pbem: Pbem, folder: Path, literal: list[tuple[str, int, str, Record]], tmp_path: Path
) -> None:
    desert = [each for each in literal if '"through-the-desert"' in each[2]]
    path = tmp_path / "asked.turns"
    path.write_text(desert[0][2], "utf-8")
    game = desert[0][3].game
    assert game is not None
    asked = replay_record(desert[0][3], until=20)
    wanted = digest(game, asked.position)
    seen = {(file, line): views(record) for file, line, _, record in desert}

    def had(view: Any) -> bool:
        return bool(view == game.view(asked.position, PUBLIC))

    expected = [place for place, some in seen.items() if any(map(had, some))]
    assert len(expected) == 2
    for condition in (f"at:{path}@20", f"at:{wanted}", f"at:{wanted[:12]}"):
        for where in (("--in", folder / "c"), (folder,)):
            assert found(pbem("find", condition, "game=through-the-desert", *where, "--json")) == expected
    space = next(iter(seen[expected[0]][30]["camels"]["red"].values()))[0]
    expected = [
        place
        for place, some in seen.items()
        if any(space in some_view["camels"]["red"].get("lilac", []) and some_view["turn"] == 31 for some_view in some)
    ]
    for where in (("--in", folder / "c"), (folder,)):
        both = [f"camels.red.lilac has {space}", "turn is 31", "game=through-the-desert"]
        assert found(pbem("find", *both, *where, "--json")) == expected


def test_found_games_are_written_as_they_stand(pbem: Pbem, folder: Path, tmp_path: Path) -> None:
    for where in (("--in", folder / "c"), (folder,)):
        answer = pbem("find", "player=Anna", "ending=normal", *where, "-o", tmp_path / "anna.turns")
        number = int(answer.stdout.split()[0])
        assert number > 3
        texts = (tmp_path / "anna.turns").read_text("utf-8").split("\n[Format")
        assert len(texts) == number
        every = "".join(path.read_text("utf-8") for path in folder.glob("*.turns"))
        assert all(text.strip() in every for text in texts)


def test_a_file_that_has_changed_since_is_told_and_not_believed(pbem: Pbem, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.turns"
    path.write_text((folder / "0.turns").read_text("utf-8"), "utf-8")
    pbem("index", path, "--in", tmp_path / "c")
    path.write_text("{put in front}\n" + path.read_text("utf-8"), "utf-8")
    answer = pbem("find", "id=g0", "--in", tmp_path / "c", "-o", tmp_path / "o.turns")
    assert answer.exit_code == 1
    assert f"{path}:1: has changed since it was indexed; index it again" in answer.stderr


def test_slips_are_told(pbem: Pbem, folder: Path) -> None:
    answer = pbem("find", "turns>>60", "--in", folder / "c")
    assert answer.exit_code == 2
    assert "  turns>>60\n        ^^^\n  a number must stand here" in answer.stderr
    answer = pbem("find", "playr=Anna", "--in", folder / "c")
    assert (answer.exit_code, answer.stdout) == (0, "0 games found\n")
    assert "no game in the catalogue has a header 'playr'" in answer.stderr
    assert pbem("find", "player=Anna").exit_code == 2
    assert pbem("find", "player=Anna", "--in", folder / "none").exit_code == 2
    assert not (folder / "none").exists()
    assert pbem("find", "player=Anna", folder, "--in", folder / "c").exit_code == 2


def running(n: int) -> Record:
    """Half of a game with hidden cards, with a comment that tells one."""
    record = sampled("brotherhood", 3, f"secret {n}")
    half = record.entries[: len(record.entries) // 2]
    secret = next(entry for entry in half if entry != _shown(record, half)[half.index(entry)])
    remark = Remark(1, COMMENT, "nobody knows my treasure")
    entries = tuple(entry._replace(remarks=(remark,)) if entry is secret else entry for entry in half)
    headers = tuple((name, "*" if name == "Result" else value) for name, value in record.headers)
    return Record(headers, entries)


def _shown(record: Record, half: tuple[Entry, ...]) -> tuple[Entry, ...]:
    headers = tuple((name, "*" if name == "Result" else value) for name, value in record.headers)
    return redact_record(Record(headers, half), PUBLIC).entries


def leaks(path: Path, record: Record) -> list[str]:
    """What a catalogue holds of a record that the public may not know."""
    text = write_record(record)
    data = path.read_bytes()
    whole = chain_keys(record)
    opened = chain_keys(redact_record(record, PUBLIC))
    assert whole is not None
    assert opened is not None
    kept = {key for _, key in opened.at}
    secrets = {
        "the key of the text": game_facts.text_key(text),
        **{f"the key of ply {ply}": key for ply, key in whole.at if key not in kept},
        "a word": b"treasure",
    }
    assert len(secrets) >= 4
    (file,) = rows(path)["files"]
    return [name for name, secret in secrets.items() if secret in data] + ["the file's digest"] * (file[2] is not None)


def test_a_catalogue_holds_nothing_of_a_running_game_that_the_public_may_not_know(
    pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = running(1)
    path, catalogue = tmp_path / "on.turns", tmp_path / "c"
    path.write_text(write_record(record), "utf-8")
    pbem("index", path, "--in", catalogue)
    assert leaks(catalogue, record) == []
    for condition in ("words:treasure", "words:nobody knows"):
        for where in (("--in", catalogue), (path,)):
            assert pbem("find", condition, *where, "--count").stdout == "0\n"
    again = json.loads(pbem("index", path, "--in", catalogue, "--json").stdout)["results"][0]
    assert (again["new"], again["gone"], again["as_before"]) == (0, 0, 1)

    pbem("find", "game=brotherhood", "--in", catalogue, "-o", tmp_path / "o.turns")
    assert "treasure" not in (tmp_path / "o.turns").read_text("utf-8")
    assert (tmp_path / "o.turns").read_text("utf-8") == write_record(redact_record(_silent(record), PUBLIC))
    pbem("find", "game=brotherhood", "--in", catalogue, "-o", tmp_path / "s.turns", "--secrets")
    assert (tmp_path / "s.turns").read_text("utf-8") == path.read_text("utf-8")
    assert (tmp_path / "s.turns").stat().st_mode & 0o077 == 0

    catalogue.unlink()
    monkeypatch.setattr(game_facts, "open_record", lambda record: OpenRecord(record, replay_record(record)))
    pbem("index", path, "--in", catalogue, "--jobs", "1")
    assert len(leaks(catalogue, record)) >= 4, "a leak that is planted is found"


def _silent(record: Record) -> Record:
    return Record(record.headers, tuple(entry._replace(remarks=()) for entry in record.entries))


def test_views_of_a_running_game_are_those_of_everybody(
    pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand that its player sees is found neither by its cards nor by its name."""
    record = running(1)
    path = tmp_path / "on.turns"
    path.write_text(write_record(record), "utf-8")
    replayed = replay_record(record)
    own = replayed.table.view(replayed.position, record.seats[0])
    everybody = views(record)
    hidden = next(
        each for each in patterns(own) if not any(query_match._holds(seen, each.path, each) for seen in everybody)
    )
    condition = f"{'.'.join(hidden.path)} {hidden.sign} {hidden.value}"
    assert pbem("find", condition, path, "--count").stdout == "0\n"
    monkeypatch.setattr(query_match, "PUBLIC", record.seats[0])
    assert pbem("find", condition, path, "--count", "--jobs", "1").stdout == "1\n", "a leak that is planted is found"


def patterns(seen: Any, *path: str) -> Iterator[OnView]:
    """Everything that a view holds, as patterns."""
    if isinstance(seen, dict):
        for name, value in seen.items():
            yield from patterns(value, *path, name)
    elif isinstance(seen, list):
        yield from (OnView(path, "has", fold(str(each))) for each in seen)
    elif isinstance(seen, str | int):
        yield OnView(path, "is", fold(str(seen)))
