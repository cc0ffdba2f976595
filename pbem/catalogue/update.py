"""Brings a catalogue up to date: only games that are new are judged, on all cores, and what was done is kept at once.

Whatever happens in between, the catalogue stays whole, and the next run goes on from what was kept.
"""

import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final, NamedTuple

from engine import registry
from pbem.archive.packed import GZIP, ZSTD
from pbem.archive.seams import PIECE, GameInFile, Joint, Piece, games_of, work_on_pieces
from pbem.archive.source import STDIN, UnreadableFile, reason_for
from pbem.archive.workers import in_order
from pbem.catalogue.catalogue_file import Catalogue, FileState, GameCounts, KnownFile
from pbem.catalogue.game_facts import GameFacts, game_facts
from pbem.catalogue.query import LEGAL
from pbem.catalogue.spans import FileSpans, Span

KEPT: Final = 500
"""Games after which what was done is kept."""
_PACKED_AT_ONCE: Final = 1 << 22
"""Bytes of a packed file that another process may read at once."""


@dataclass(frozen=True)
class Sums:
    """What a run has found so far: `seen` games of which `counts` are in files that were read to their end.

    `bytes` are those of the files that were looked at.
    """

    files: int = 0
    seen: int = 0
    refused: int = 0
    counts: GameCounts = field(default_factory=GameCounts)
    new: int = 0
    gone: int = 0
    bytes: int = 0

    @property
    def as_before(self) -> int:
        """Games that had been judged before."""
        return self.counts.games - self.new


class Stretch(NamedTuple):
    """A part of a file: one whose games must be read, or one whose games are all known.

    `known_file` is that of a file in which nothing has changed; `state` is noted of a file whose last stretch this is.
    """

    name: str
    size: int = 0
    begins: bool = False
    piece: Piece | None = None
    spans: tuple[Span, ...] = ()
    known: tuple[int, ...] = ()
    state: FileState | None = None
    known_file: KnownFile | None = None
    problem: str = ""


class Update:
    """One run over some files. `tell` is called after each stretch, `problem` with what cannot be read."""

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        jobs: int,
        quick: bool = False,
        tell: Callable[[Sums], None] = lambda _: None,
        problem: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._catalogue = catalogue
        self._jobs = jobs
        self._quick = quick
        self._tell = tell
        self._problem = problem
        self._judge = judges_version()
        self._joint: Joint | None = None
        self._file = 0
        self._counts = GameCounts()
        self._has_secrets = False
        self._unkept = 0
        self.sums = Sums()

    def run(self, files: Iterable[str], gone: Iterable[str] = ()) -> None:
        """Read what has changed of some files, and drop those that are gone."""
        work = in_order(judge_stretch, self._stretches(files), self._jobs, shared=_is_shared)
        for stretch, result in work:
            self._take(stretch, result)
            self._tell(self.sums)
        for name in gone:
            self._catalogue.forget_file(name)
        self.sums = replace(self.sums, gone=self._catalogue.tidy())
        self._catalogue.commit()

    def _stretches(self, files: Iterable[str]) -> Iterator[Stretch]:
        for name in dict.fromkeys(files):
            try:
                yield from self._of_file(name)
            except OSError as problem:
                yield Stretch(name, problem=f"{name}: {reason_for(problem)}")

    def _of_file(self, name: str) -> Iterator[Stretch]:
        path = Path(name)
        found = path.stat() if name != STDIN else None
        if found is None or not stat.S_ISREG(found.st_mode):
            yield Stretch(name, problem=f"{name}: only files can be found again; save it as one")
            return
        state = FileState(found.st_size, found.st_mtime_ns, None, self._judge)
        known = self._catalogue.known_file(name)
        if known is not None and self._is_unchanged(path, known, state):
            yield Stretch(name, found.st_size, known_file=known, state=state)
            return
        with path.open("rb") as stream:
            is_packed = stream.read(4).startswith((GZIP, ZSTD))
        if is_packed:
            piece = Piece(name, found.st_size, is_shared=found.st_size <= _PACKED_AT_ONCE)
            yield Stretch(name, found.st_size, True, piece, state=state._replace(digest=_digest(path)))
            return
        yield from self._of_spans(FileSpans(path), name, state)

    def _is_unchanged(self, path: Path, known: KnownFile, state: FileState) -> bool:
        if known.state.digest is None or (known.state.size, known.state.judge) != (state.size, state.judge):
            return False
        return (self._quick and known.state.mtime == state.mtime) or _digest(path) == known.state.digest

    def _of_spans(self, spans: FileSpans, name: str, state: FileState) -> Iterator[Stretch]:
        """Stretches of about a megabyte, of spans that are known or are not."""
        waiting: Stretch | None = None
        begins = True
        for some in _together(spans):
            known = self._catalogue.known_games([span.key for span in some if span.key], self._judge)
            for stretch in _part(name, some, known):
                if waiting is not None:
                    yield waiting._replace(begins=begins)
                    begins = False
                waiting = stretch
        assert waiting is not None  # noqa: S101 - even an empty file has a span
        yield waiting._replace(begins=begins, state=state._replace(digest=spans.digest))

    def _take(self, stretch: Stretch, result: "JudgedStretch | None") -> None:
        if stretch.problem:
            self._give_up(stretch.name, stretch.problem)
            return
        if stretch.known_file is not None:
            self._take_unchanged(stretch, stretch.known_file)
            return
        if stretch.begins:
            self._joint = Joint(stretch.name)
            self._file = self._catalogue.begin_file(stretch.name)
            self._counts, self._has_secrets = GameCounts(), False
        if self._joint is None:
            return
        self.sums = replace(self.sums, bytes=self.sums.bytes + stretch.size)
        try:
            if stretch.piece is not None:
                self._take_piece(stretch, stretch.piece, result, self._joint)
            else:
                self._take_known(stretch, self._joint)
        except UnreadableFile as problem:
            self._give_up(stretch.name, str(problem))
            return
        if stretch.state is not None:
            self._finish_file(stretch.name, stretch.state, self._joint)
        if self._unkept >= KEPT:
            self._unkept = 0
            self._catalogue.commit()

    def _take_unchanged(self, stretch: Stretch, known: KnownFile) -> None:
        if stretch.state is not None and stretch.state.mtime != known.state.mtime:
            self._catalogue.touch_file(known.file, stretch.state.mtime)
        sums = self.sums
        self.sums = replace(
            sums,
            files=sums.files + 1,
            seen=sums.seen + known.counts.games,
            refused=sums.refused + known.counts.games - known.counts.legal,
            counts=sums.counts.plus(known.counts),
            bytes=sums.bytes + stretch.size,
        )

    def _take_known(self, stretch: Stretch, joint: Joint) -> None:
        for span, game in zip(stretch.spans, stretch.known, strict=True):
            piece = _piece(stretch.name, (span,))
            corrected = joint.correct(piece)
            if corrected == piece:
                self._place(joint, span.line, span.begin, game, self._catalogue.verdict(game))
                joint.go_on(span.until, 0)
            elif corrected is not None:
                self._read_here(corrected, joint, {span.line: span.begin})

    def _take_piece(self, stretch: Stretch, piece: Piece, result: "JudgedStretch | None", joint: Joint) -> None:
        corrected = joint.correct(piece)
        begins = {span.line: span.begin for span in stretch.spans}
        if corrected is None:
            return
        if result is None or corrected != piece:
            self._read_here(corrected, joint, begins)
            return
        for line, facts in result.games:
            self._take_game(joint, line, begins.get(line), facts)
        joint.go_on(result.next_line, result.no_comment_ends_before)
        if result.problem:
            raise UnreadableFile(result.problem, misuse=False)

    def _read_here(self, piece: Piece, joint: Joint, begins: dict[int, int]) -> None:
        stream, games = games_of(piece, keep=True)
        for item in games:
            line = item.reading.line
            self._take_game(joint, line, begins.get(line), game_facts(item.reading, item.text()))
        joint.go_on(stream.next_line, stream.no_comment_ends_before)

    def _take_game(self, joint: Joint, line: int, begin: int | None, facts: GameFacts) -> None:
        self._has_secrets |= facts.is_secret
        game, is_new = self._catalogue.add_game(facts, self._judge)
        if is_new:
            self.sums = replace(self.sums, new=self.sums.new + 1)
        self._place(joint, line, begin, game, facts.verdict)

    def _place(self, joint: Joint, line: int, begin: int | None, game: int, verdict: str) -> None:
        joint.number += 1
        self._unkept += 1
        self._catalogue.place(self._file, joint.number, line, begin, game)
        self._counts = self._counts.counting(verdict)
        sums = self.sums
        self.sums = replace(sums, seen=sums.seen + 1, refused=sums.refused + (verdict != LEGAL))

    def _finish_file(self, name: str, state: FileState, joint: Joint) -> None:
        now = Path(name).stat()
        if (now.st_size, now.st_mtime_ns) != (state.size, state.mtime):
            self._give_up(name, f"{name}: was changed while it was read; index it again")
            return
        if not joint.number:
            self._problem(f"{name}: holds no game; `pbem sample` shows what a record looks like")
        if self._has_secrets:  # a digest of a text with a secret lets anybody guess it
            state = state._replace(digest=None)
        self._catalogue.finish_file(self._file, name, state, self._counts)
        self.sums = replace(self.sums, files=self.sums.files + 1, counts=self.sums.counts.plus(self._counts))
        self._joint = None

    def _give_up(self, name: str, why: str) -> None:
        """A file cannot be read: what was known of it holds no more."""
        self._problem(why)
        self._joint = None
        self._catalogue.forget_file(name)


class JudgedStretch(NamedTuple):
    """What came of the games of a stretch that another process has read."""

    games: list[tuple[int, GameFacts]]
    next_line: int | None
    no_comment_ends_before: int
    problem: str = ""


def judge_stretch(stretch: Stretch) -> JudgedStretch:
    """Read and judge the games of a stretch."""
    assert stretch.piece is not None  # noqa: S101 - others are not given to processes
    (done,) = work_on_pieces(_judge_game, True, [stretch.piece])
    return JudgedStretch(
        done.games, done.next_line, done.no_comment_ends_before, done.problem[0] if done.problem else ""
    )


def _judge_game(item: GameInFile) -> GameFacts:
    return game_facts(item.reading, item.text())


def _is_shared(stretch: Stretch) -> bool:
    return stretch.piece is not None and stretch.piece.is_shared


def _together(spans: Iterable[Span]) -> Iterator[list[Span]]:
    held: list[Span] = []
    size = 0
    for span in spans:
        held.append(span)
        size += span.size
        if size >= PIECE:
            yield held
            held, size = [], 0
    if held:
        yield held


def _part(name: str, spans: list[Span], known: dict[bytes, int]) -> Iterator[Stretch]:
    """Runs of spans that are known, and of spans that are not."""
    begin = 0
    for index in range(1, len(spans) + 1):
        is_known = spans[begin].key in known
        if index == len(spans) or (spans[index].key in known) != is_known:
            run = tuple(spans[begin:index])
            size = sum(span.size for span in run)
            if is_known:
                yield Stretch(name, size, spans=run, known=tuple(known[span.key] for span in run if span.key))
            else:
                yield Stretch(name, size, piece=_piece(name, run), spans=run)
            begin = index


def _piece(name: str, spans: tuple[Span, ...]) -> Piece:
    first = spans[0]
    return Piece(name, sum(span.size for span in spans), first.begin, first.line, spans[-1].until)


def _digest(path: Path) -> bytes:
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").digest()


def judges_version() -> bytes:
    """The digest of everything that a verdict or a fact follows from: rules, grammars, words, and what keeps them."""
    digest = sha256()
    here = Path(__file__).parent.parent.parent
    for folder in ("engine", "notation", "pbem/judging", "pbem/catalogue"):
        for path in sorted((here / folder).rglob("*")):
            if path.suffix in (".py", ".lark", ".txt"):
                digest.update(f"{path.relative_to(here)}\0".encode() + path.read_bytes())
    for key in registry.game_keys():
        if key not in registry.IN_HOUSE and (package := registry.find_package(key)) is not None:
            digest.update(f"{key}\0".encode())
            for path in (
                sorted(Path(next(iter(package.__path__))).rglob("*.py")) if hasattr(package, "__path__") else ()
            ):
                digest.update(path.read_bytes())
    return digest.digest()[:8]
