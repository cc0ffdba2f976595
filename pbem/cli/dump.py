"""`pbem dump FILE… --into FOLDER`: finished games as packed files with a manifest, to publish; and the check of one."""

import json as json_module
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from gzip import GzipFile
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from notation import END, Record, read_games, write_record
from pbem.archive.source import Source, UnreadableFile
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.judging.record_replay import replay_record
from pbem.terminal.arguments import AsJson, FilesFrom, Heap
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, record_files, report_faults, report_refusal
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.archive.seams import GameInFile
    from pbem.terminal.exchange_outputs import DumpedFileJson

FORM: Final = "caravan-post-dump/1"
MANIFEST: Final = "MANIFEST.json"
SUMS: Final = "SHA256SUMS"
UNDATED: Final = "undated"
MOST_FILES: Final = 400
"""Files that may be open at once; more kinds of games and years than that need several dumps."""


def dump(
    files: Heap = None,
    *,
    into: Annotated[
        Path | None, typer.Option("--into", metavar="FOLDER", help="The folder to write; it must be new or empty.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="FOLDER", help="Check a dump instead.", show_default=False)
    ] = None,
    files_from: FilesFrom = None,
    json: AsJson = False,
) -> None:
    """Write finished games as packed files with a manifest, or check such a dump.

    There is one file for each game and year, in canonical form, with the games in the order of the input. MANIFEST.json
    says how many games each file holds, and its digests, packed and unpacked. The same games give the same text.

    Games that go on, break a rule or cannot be read are left out and counted.

    --check reads every file, and counts and compares everything. `sha256sum -c SHA256SUMS` does half of it without us.
    """
    report = Report(json=json)
    if (into is None) == (check is None):
        report.give_up("say where to write with --into, or what to check with --check")
    if check is not None:
        if files or files_from is not None:
            report.give_up("--check takes a folder and no files")
        _check(check, report)
    if into is not None:
        _dump(files, files_from, into, report)
    report.end()


class _Packed:
    """One file of a dump while it is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games = 0
        self.text = sha256()
        self.size = 0
        self._raw: IO[bytes] = path.open("wb")
        # Without a name and a time in its head, the same games give the same bytes.
        self._stream = GzipFile(filename="", mode="wb", fileobj=self._raw, mtime=0)

    def write(self, text: str) -> None:
        """Append a game."""
        data = (f"\n{text}" if self.games else text).encode()
        self.games += 1
        self.text.update(data)
        self.size += len(data)
        self._stream.write(data)

    def close(self) -> None:
        """End the file."""
        self._stream.close()
        self._raw.close()


def _dump(files: list[str] | None, files_from: str | None, folder: Path, report: Report) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        report.give_up(f"{folder}: is there already and not an empty folder; name a new one")
    found = record_files(files, files_from, report)
    left_out: Counter[str] = Counter(running=0, refused=0, unread=0)
    packed: dict[str, _Packed] = {}
    games = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            for item in read_all_games(found, report, "dumping"):
                games += 1
                record = _finished(item, left_out, report)
                if record is None:
                    continue
                name = f"{record.header('Game')}-{_year(record)}.turns.gz"
                if name not in packed:
                    if len(packed) == MOST_FILES:
                        report.give_up(f"more than {MOST_FILES} games and years; make several dumps")
                    packed[name] = _Packed(folder / name)
                    stack.callback(packed[name].close)
                packed[name].write(write_record(record))
        told = [_told(packed[name]) for name in sorted(packed)]
        written = sum(each["games"] for each in told)
        manifest = {"form": FORM, "games": written, "left_out": dict(left_out), "files": told}
        (folder / MANIFEST).write_text(json_module.dumps(manifest, indent=2) + "\n", "utf-8")
        (folder / SUMS).write_text("".join(f"{each['sha256']}  {each['name']}\n" for each in told), "utf-8")
    except OSError as problem:
        report.give_up(f"{folder}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    for each in told:
        report.say(f"{each['name']}: {count(each['games'], 'game')}")
        report.add(each)
    sums = ", ".join(f"{number:,} {why}" for why, number in left_out.items())
    report.say(f"{count(games, 'game')} read: {written:,} written, {left_out.total():,} left out ({sums})")
    report.end(games=games, written=written, left_out=left_out.total())


def _finished(item: "GameInFile", left_out: Counter[str], report: Report) -> Record | None:
    """The canonical record of a finished game; another one is counted, and told if something is wrong with it."""
    if item.reading.record is None:
        left_out["unread"] += 1
        report_faults(item, report)
        return None
    record = fill_in_numbers(tidy_headers(item.reading.record))
    replayed = replay_record(record)
    if replayed.refusal is not None:
        left_out["refused"] += 1
        report.add(report_refusal(item, replayed, report))
        return None
    if not replayed.finished or not any(entry.who == END for entry in record.entries):
        left_out["running"] += 1
        return None
    return record


def _year(record: Record) -> str:
    date = (record.header("Date") or "")[:4]
    return date if len(date) == 4 and date.isascii() and date.isdigit() else UNDATED


def _told(packed: _Packed) -> "DumpedFileJson":
    with packed.path.open("rb") as stream:
        digest = file_digest(stream, "sha256").hexdigest()
    return {
        "name": packed.path.name,
        "games": packed.games,
        "bytes": packed.path.stat().st_size,
        "sha256": digest,
        "text_bytes": packed.size,
        "text_sha256": packed.text.hexdigest(),
    }


def _check(folder: Path, report: Report) -> None:
    """Compare a dump with its manifest; every difference is told."""
    manifest = _manifest(folder, report)
    names = {each["name"] for each in manifest["files"]}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in {*names, MANIFEST, SUMS}:
            report.problem(f"{path}: is not in the manifest", misuse=False)
    for each in manifest["files"]:
        for what, is_said, is_found in _differences(folder / each["name"], each):
            report.problem(
                f"{folder / each['name']}: {what} is {is_found}, not {is_said} as the manifest says", misuse=False
            )
        report.add(each)
    if (games := sum(each["games"] for each in manifest["files"])) != manifest["games"]:
        report.problem(f"{folder}: its files hold {games:,} games, not {manifest['games']:,}", misuse=False)
    if not report.troubles:
        report.say(f"{count(games, 'game')} in {count(len(names), 'file')}: all as the manifest says")
    report.end(games=games, written=games, left_out=0)


def _manifest(folder: Path, report: Report) -> dict[str, Any]:
    path = folder / MANIFEST
    found: Any = None
    try:
        found = json_module.loads(path.read_bytes())
    except FileNotFoundError:
        report.give_up(f"{path}: is not there; `pbem dump` writes it")
    except (OSError, ValueError):
        pass
    if not _is_manifest(found):
        report.give_up(f"{path}: is no manifest of the form {FORM}", misuse=False)
    return dict(found)


def _is_manifest(found: Any) -> bool:
    try:
        named = all(each.keys() >= _TOLD and Path(each["name"]).name == each["name"] for each in found["files"])
        return named and found["form"] == FORM and isinstance(found["games"], int)
    except (TypeError, KeyError, AttributeError):
        return False


_TOLD: Final = {"name", "games", "bytes", "sha256", "text_bytes", "text_sha256"}


class _Difference(NamedTuple):
    """What of a file is not as the manifest says."""

    what: str
    said: object
    found: object


def _differences(path: Path, said: dict[str, Any]) -> Iterator[_Difference]:
    text = sha256()
    size = games = 0

    def see(block: bytes) -> None:
        nonlocal size
        text.update(block)
        size += len(block)

    try:
        with path.open("rb") as stream:
            digest = file_digest(stream, "sha256").hexdigest()
        games = sum(1 for _ in read_games(Source(str(path), see).lines()))
    except (OSError, UnreadableFile) as problem:
        yield _Difference("the file", "whole", f"damaged or missing ({problem})")
        return
    found = {
        "games": games,
        "bytes": path.stat().st_size,
        "sha256": digest,
        "text_bytes": size,
        "text_sha256": text.hexdigest(),
    }
    yield from (_Difference(what, said[what], is_found) for what, is_found in found.items() if said[what] != is_found)
