"""`pbem schema COMMAND`: the JSON Schema of what a command prints with --json.

The schemas are made from the types that the commands build their output from. Those in docs/schemas are the same.
"""

from typing import Annotated, Final, TypedDict

import typer

from pbem.disputes.bundle_check import CheckedBundle
from pbem.disputes.case_file import CaseFile
from pbem.exchange.record_json import RecordInJson
from pbem.tables.table import Case
from pbem.terminal import book_outputs as of_books
from pbem.terminal import exchange_outputs as of_exchange
from pbem.terminal import post_outputs as of_post
from pbem.terminal import record_outputs as of_records
from pbem.terminal.json_schema import Document, Merged, make_schema, make_value_schema
from pbem.terminal.report import Report, print_json


class _AtTable(TypedDict):
    table: str


class _OfFile(TypedDict):
    file: str


_FAULTS: Final = (of_records.RefusalJson, of_records.GameFaultJson)
"""What any command that reads a record may print instead of its own results."""
_ACT: Final = Document((of_post.EventsJson,))

DOCUMENTS: Final = {
    "demo": Document(whole=of_post.DemoJson),
    "init": Document(whole=of_post.CreatedPostJson),
    "new": Document((of_post.NewTableJson,)),
    "invite": _ACT,
    "fetch": Document((of_post.FetchedJson,)),
    "send": Document((of_post.SentJson,), of_post.BusyTotals),
    "tick": Document((of_post.HandledLetterJson, of_post.ClockJson), of_post.TickTotals),
    "status": Document((of_post.TableStatusJson,), of_post.StatusTotals),
    "record": Document((of_post.RecordJson, of_post.ImportedJson, *_FAULTS)),
    "log": Document((of_post.LogLineJson,), of_post.LogTotals),
    "key": Document((of_post.KeyJson, of_post.AskedAgainJson)),
    "observe": Document((of_post.ObserverJson,)),
    "beacon list": Document((of_post.RoundJson,)),
    "beacon take": Document((of_post.TakenRoundJson,)),
    "case list": Document((Merged("CaseJson", (_AtTable, Case)),)),
    "case show": Document((CaseFile,)),
    "case open": _ACT,
    "case rule": _ACT,
    "case warrant": _ACT,
    "case close": _ACT,
    "case pause": _ACT,
    "case resume": _ACT,
    "case excuse": _ACT,
    "case extend": _ACT,
    "case terms": _ACT,
    "case call-off": _ACT,
    "case referee": Document((of_post.RefereeJson,)),
    "case bundle": Document((of_post.BundleJson,)),
    "case check": Document((Merged("CheckedBundleJson", (_OfFile, CheckedBundle)),)),
    **{f"person {name}": Document((of_post.PersonJson,)) for name in ("list", "show", "merge", "address", "forget")},
    "person export": Document((of_post.ExportedJson,)),
    "quarantine list": Document((of_post.LetterJson,)),
    "quarantine show": Document((of_post.LetterTextJson,)),
    "quarantine redrive": Document((of_post.RedrivenJson,)),
    "doctor": Document((of_post.CheckJson,)),
    "backup": Document((of_post.BackupJson,)),
    "compact": Document((of_post.CompactedJson,)),
    "move": Document((of_post.MovedJson,)),
    "restore": Document((of_post.RestoredJson, of_post.AcceptedJson)),
    "games": Document((of_records.KnownGameJson,)),
    "rules": Document(whole=of_records.RulesJson),
    "rule": Document(whole=of_records.RuleJson),
    "sample": Document((of_records.SampleJson,)),
    "replay": Document((of_records.ReplayedJson, of_records.UnplayedJson, of_records.GameFaultJson)),
    "validate": Document((of_records.JudgedMoveJson, of_records.RefusedSumJson, *_FAULTS), of_records.ValidateTotals),
    "verify": Document((of_records.VerifiedJson,), of_records.VerifyTotals),
    "upgrade": Document((of_records.UpgradeJson, *_FAULTS), of_records.UpgradeTotals),
    "fmt": Document((of_records.FormattedJson, of_records.GameFaultJson)),
    "annotate": Document((of_books.AnnotatedJson, of_records.GameFaultJson)),
    "edition": Document((of_books.EditionJson, *_FAULTS), of_books.EditionTotals),
    "index": Document((of_exchange.IndexedJson,)),
    "find": Document((of_exchange.FoundJson,), of_exchange.FindTotals),
    "twins": Document((of_books.TwinsJson, of_records.GameFaultJson), of_books.TwinsTotals),
    "merge": Document((of_books.MergedJson, of_records.GameFaultJson), of_books.MergeTotals),
    "tree": Document((of_books.BranchJson, *_FAULTS), of_books.StatsTotals),
    "stats": Document((of_books.StatsJson, *_FAULTS), of_books.StatsTotals),
    "export": Document((of_exchange.ExportedGamesJson, *_FAULTS), of_exchange.ExportTotals),
    "dump": Document((of_exchange.DumpedFileJson, *_FAULTS), of_exchange.DumpTotals),
    "import": Document((of_exchange.ImportedGamesJson, of_exchange.NotMappedJson), of_exchange.ImportTotals),
    "resume": Document((of_exchange.ResumeJson, *_FAULTS)),
    "publish": Document((of_exchange.PublishedGameJson, *_FAULTS), of_exchange.PublishTotals),
    "show": Document((of_records.ShownJson, *_FAULTS)),
    "legal": Document((of_records.LegalJson, of_records.LegalCountJson, *_FAULTS)),
    "suggest": Document((of_records.SuggestionJson, *_FAULTS)),
    "perft": Document((of_records.DepthJson, of_records.EndsJson, *_FAULTS)),
    "diff": Document(
        (of_records.DifferenceJson, of_records.MissingGameJson, of_records.GameFaultJson), of_records.DiffTotals
    ),
    "contract": Document((of_records.ContractCheckJson,)),
}
"""What every command prints with --json, by its name."""

FORMS: Final = {"record-json": ("a game, as `pbem export --to json` writes it", RecordInJson)}
"""What commands write into files for other programs, by its name: its title, and its type."""


def schema(
    words: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND...", help="A command, such as `status` or `case show`.", show_default=False),
    ],
) -> None:
    """Print the JSON Schema of what a command prints with --json.

    `pbem schema record-json` prints that of a game as JSON.
    """
    name = " ".join(words)
    if name not in DOCUMENTS and name not in FORMS:
        known = ", ".join(sorted([*DOCUMENTS, *FORMS]))
        Report(json=False).give_up(f"`pbem {name}` has no JSON output; those that have are {known}")
    print_json(schema_of(name))


def schema_of(name: str) -> dict[str, object]:
    """The schema of a command's output, or of a form."""
    if name in FORMS:
        return make_value_schema(*FORMS[name])
    return make_schema(f"pbem {name} --json", DOCUMENTS[name])
