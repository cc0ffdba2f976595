"""`pbem schema COMMAND`: the JSON Schema of what a command prints with --json.

The schemas are made from the types that the commands build their output from. Those in docs/schemas are the same.
"""

from typing import Annotated, Final, TypedDict

import typer

from pbem.disputes.bundle_check import CheckedBundle
from pbem.disputes.case_file import CaseFile
from pbem.tables.table import Case
from pbem.terminal import json_outputs as outputs
from pbem.terminal.json_schema import Document, Merged, make_schema
from pbem.terminal.report import Report, print_json


class _AtTable(TypedDict):
    table: str


class _OfFile(TypedDict):
    file: str


_FAULTS: Final = (outputs.RefusalJson, outputs.GameFaultJson)
"""What any command that reads a record may print instead of its own results."""
_ACT: Final = Document((outputs.EventsJson,))

DOCUMENTS: Final = {
    "demo": Document(whole=outputs.DemoJson),
    "init": Document(whole=outputs.CreatedPostJson),
    "new": Document((outputs.NewTableJson,)),
    "fetch": Document((outputs.FetchedJson,)),
    "send": Document((outputs.SentJson,), outputs.BusyTotals),
    "tick": Document((outputs.HandledLetterJson, outputs.ClockJson), outputs.TickTotals),
    "status": Document((outputs.TableStatusJson,), outputs.StatusTotals),
    "record": Document((outputs.RecordJson, outputs.ImportedJson, *_FAULTS)),
    "log": Document((outputs.LogLineJson,), outputs.LogTotals),
    "key": Document((outputs.KeyJson,)),
    "observe": Document((outputs.ObserverJson,)),
    "beacon list": Document((outputs.RoundJson,)),
    "beacon take": Document((outputs.TakenRoundJson,)),
    "case list": Document((Merged("CaseJson", (_AtTable, Case)),)),
    "case show": Document((CaseFile,)),
    "case open": _ACT,
    "case rule": _ACT,
    "case warrant": _ACT,
    "case close": _ACT,
    "case pause": _ACT,
    "case resume": _ACT,
    "case call-off": _ACT,
    "case bundle": Document((outputs.BundleJson,)),
    "case check": Document((Merged("CheckedBundleJson", (_OfFile, CheckedBundle)),)),
    "quarantine list": Document((outputs.LetterJson,)),
    "quarantine show": Document((outputs.LetterTextJson,)),
    "quarantine redrive": Document((outputs.RedrivenJson,)),
    "doctor": Document((outputs.CheckJson,)),
    "backup": Document((outputs.BackupJson,)),
    "games": Document((outputs.KnownGameJson,)),
    "rules": Document(whole=outputs.RulesJson),
    "rule": Document(whole=outputs.RuleJson),
    "sample": Document((outputs.SampleJson,)),
    "replay": Document((outputs.ReplayedJson, outputs.UnplayedJson, outputs.GameFaultJson)),
    "validate": Document((outputs.JudgedMoveJson, *_FAULTS), outputs.ValidateTotals),
    "verify": Document((outputs.VerifiedJson,), outputs.VerifyTotals),
    "upgrade": Document((outputs.UpgradeJson, *_FAULTS), outputs.UpgradeTotals),
    "fmt": Document((outputs.FormattedJson, outputs.GameFaultJson)),
    "show": Document((outputs.ShownJson, *_FAULTS)),
    "legal": Document((outputs.LegalJson, outputs.LegalCountJson, *_FAULTS)),
    "suggest": Document((outputs.SuggestionJson, *_FAULTS)),
    "perft": Document((outputs.DepthJson, outputs.EndsJson, *_FAULTS)),
    "diff": Document((outputs.DifferenceJson, outputs.MissingGameJson, outputs.GameFaultJson), outputs.DiffTotals),
    "contract": Document((outputs.ContractCheckJson,)),
}
"""What every command prints with --json, by its name."""


def schema(
    words: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND...", help="A command, such as `status` or `case show`.", show_default=False),
    ],
) -> None:
    """Print the JSON Schema of what a command prints with --json."""
    name = " ".join(words)
    if name not in DOCUMENTS:
        known = ", ".join(sorted(DOCUMENTS))
        Report(json=False).give_up(f"`pbem {name}` has no JSON output; those that have are {known}")
    print_json(schema_of(name))


def schema_of(name: str) -> dict[str, object]:
    """The schema of a command's output."""
    return make_schema(f"pbem {name} --json", DOCUMENTS[name])
