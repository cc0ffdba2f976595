"""What is printed of many judged games: each refusal, or their sums; and a file of the refused games, to be mended."""

from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from notation.faults import printable
from notation.headers import brace
from pbem.judging.record_replay import replay_record
from pbem.judging.variations import has_variations
from pbem.terminal.display import count
from pbem.terminal.game_work import GameWork
from pbem.terminal.inputs import ToldRefusal, tell_faults, tell_refusal
from pbem.terminal.summaries import headline

if TYPE_CHECKING:
    from notation import Fault
    from pbem.archive.files import FileDraft
    from pbem.archive.seams import GameInFile
    from pbem.judging.result import ReplayResult
    from pbem.terminal.display import Colour
    from pbem.terminal.game_work import WorkedGame
    from pbem.terminal.record_outputs import RefusedSumJson, WarningJson
    from pbem.terminal.report import Report


class JudgedGame(NamedTuple):
    """A game after it was judged, as other processes tell it: nothing in it is a position.

    `text` is the game as it stands in its file, if it is refused and its text is wanted.
    """

    id: str | None = None
    headline: str = ""
    faults: "tuple[Fault, ...]" = ()
    refusal: ToldRefusal | None = None
    variations: "tuple[ToldVariation, ...]" = ()
    text: str | None = None


class ToldVariation(NamedTuple):
    """A variation that could not be played, as text and as plain data."""

    text: str
    line: int
    code: str
    detail: str


def judge_game(colour: "Colour", item: "GameInFile") -> JudgedGame:
    """Judge a game of a file."""
    record = item.reading.record
    if record is None:
        return JudgedGame(faults=item.reading.faults, text=item.text())
    replayed = replay_record(record)
    name = record.header("Id")
    if replayed.refusal is not None:
        return JudgedGame(name, refusal=tell_refusal(item, replayed, colour), text=item.text())
    said = headline(replayed) if item.number == 1 else ""  # it is printed where there is no other game
    variations = _judge_variations(item, replayed, colour) if has_variations(record) else ()
    return JudgedGame(name, said, variations=variations)


def _judge_variations(item: "GameInFile", replayed: "ReplayResult", colour: "Colour") -> tuple[ToldVariation, ...]:
    """What is wrong with the variations of a game that stands: warnings, for nothing follows from them."""
    from pbem.judging.variations import judge_variations
    from pbem.terminal.refusals import print_refusal, quote  # only needed when there are variations

    told = []
    for refusal in judge_variations(replayed.record):
        quoted = quote(refusal, replayed.record, item.source, item.reading.line)
        text = print_refusal(refusal, quoted, item.source.title, replayed, colour, warning="in a variation")
        told.append(ToldVariation(text, quoted.line, refusal.code, refusal.verdict.detail))
    return tuple(told)


class JudgedGames:
    """Judges the games of some files and prints what is wrong with them."""

    def __init__(self, report: "Report", *, jobs: int | None, summary: bool, refused: "FileDraft | None") -> None:
        self._report = report
        self._summary = summary
        self._refused = refused
        self._sums: dict[str, _Sum] = {}
        self._known: dict[str, tuple[str, int]] = {}
        self._work: GameWork[JudgedGame] = GameWork(
            partial(judge_game, report.colour), report, "judging", jobs=jobs, keep=refused is not None
        )
        self.warnings: list[WarningJson] = []
        self.refused = 0
        self.headline = ""
        """The game in a few words, if it is the only one."""

    @property
    def games(self) -> int:
        """How many games there were."""
        return self._work.games

    def judge(self, files: Iterable[str]) -> None:
        """Judge every game of the files."""
        for game in self._work.run(files):
            self.headline = game.result.headline
            self._warn_of_id(game)
            if game.result.faults or game.result.refusal is not None:
                self._refuse(game)
            for odd in game.result.variations:
                self._say(odd.text, "")
                self._note("variation", game, odd.line, odd.code, odd.detail)
        for code, each in sorted(self._sums.items(), key=lambda item: (-item[1].games, item[0])):
            self._report.say(f"{each.games:>7,}  {code:<8} {each.name:<32} first: {each.first}")
            said: RefusedSumJson = {"code": code, "name": each.name, "games": each.games, "first": each.first}
            if self._summary:
                self._report.add(said)

    def _refuse(self, game: "WorkedGame[JudgedGame]") -> None:
        self.refused += 1
        self._work.refused += 1
        judged, report = game.result, self._report
        if self._summary:
            report.refuse()
        elif judged.faults:
            tell_faults(game.file, game.number, judged.faults, report)
        elif judged.refusal is not None:
            report.refuse()
            report.say(judged.refusal.text, "")
            report.add(judged.refusal.data)
        why = _why(game)
        if self._summary:
            self._sums.setdefault(why.code, _Sum(why.name, why.place)).games += 1
        if self._refused is not None:
            text = (judged.text or "").rstrip("\n")
            told = brace(printable(f"{why.place}: {why.code} {why.name}: {why.reason}"))
            self._refused.write(f"{told}\n\n{text}\n" if self.refused == 1 else f"\n{told}\n\n{text}\n")

    def _warn_of_id(self, game: "WorkedGame[JudgedGame]") -> None:
        """Name the game that had the same Id before, if there was one."""
        judged = game.result
        if judged.id and (before := self._known.setdefault(judged.id, (game.file, game.number))) != game[:2]:
            where = f"game {before[1]}" if before[0] == game.file else f"game {before[1]} of {before[0]}"
            detail = f"game {game.number} has the Id {judged.id}, which {where} has too"
            self._say(f"{game.file}:{game.line}: warning: {detail}")
            self._note("id", game, game.line, None, detail)

    def _say(self, *lines: str) -> None:
        if not self._summary:
            self._report.say(*lines)

    def _note(self, kind: str, game: "WorkedGame[JudgedGame]", line: int, code: str | None, detail: str) -> None:
        self.warnings.append(
            {"kind": kind, "file": game.file, "game": game.number, "line": line, "code": code, "detail": detail}
        )


class _Sum:
    """How many games were refused for one reason, and where the first of them is."""

    def __init__(self, name: str, first: str) -> None:
        self.name = name
        self.first = first
        self.games = 0


class _Why(NamedTuple):
    """The first thing that is wrong with a game."""

    code: str
    name: str
    place: str
    reason: str


def _why(game: "WorkedGame[JudgedGame]") -> _Why:
    judged = game.result
    if judged.refusal is not None:
        said = judged.refusal.data
        place = f"{game.file}:{said['line']}" + (f":{said['column']}" if said["column"] else "")
        return _Why(said["code"], said["name"], place, said["detail"])
    fault = judged.faults[0]
    return _Why(fault.code, fault.rule.name, f"{game.file}:{fault.line}:{fault.column}", fault.message)


def judge_files(
    files: Iterable[str],
    report: "Report",
    *,
    jobs: int | None = None,
    summary: bool = False,
    refused_to: Path | None = None,
) -> NoReturn:
    """Judge every game of some files, print the first mistake of each, and end the command.

    A variation that could not be played, and an Id that two games share, are warnings: the games stand all the same.
    """
    with ExitStack() as stack:
        draft = None
        if refused_to is not None:
            from pbem.archive.files import FileDraft  # few runs write anything

            draft = stack.enter_context(FileDraft(str(refused_to)))
        judged = JudgedGames(report, jobs=jobs, summary=summary, refused=draft)
        try:
            judged.judge(files)
            if draft is not None:
                draft.write("")
                draft.publish()
                report.say(f"{count(judged.refused, 'refused game')} written to {refused_to}")
        except OSError as problem:
            if draft is None:
                raise
            report.give_up(f"{refused_to}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    if judged.games == 1 and not judged.refused and judged.headline:
        report.say(f"{report.colour.paint('legal', 'green')}: {judged.headline}")
    elif judged.games:
        games = count(judged.games, "game")
        report.say(f"{games}, " + (f"{judged.refused:,} refused" if judged.refused else "all legal"))
    if judged.warnings:
        report.say(count(len(judged.warnings), "warning"))
    report.end(games=judged.games, refused=judged.refused, warnings=judged.warnings)
