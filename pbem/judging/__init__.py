"""Replay records and judge moves, from the record alone.

Everything in here is a pure function of values: no files, no clock, no mail. The names below are the public ones
(docs/library.md); each is imported when it is first used, so that a command loads only what it needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.judging.compare import compare_records
    from pbem.judging.lookahead import choose_ply, perft, sample_game, suggest_turns
    from pbem.judging.record_replay import replay_record
    from pbem.judging.result import Refusal, ReplayResult
    from pbem.judging.submission import SubmissionResult, find_remedy, judge_at, judge_submission

__all__ = [
    "Refusal",
    "ReplayResult",
    "SubmissionResult",
    "choose_ply",
    "compare_records",
    "find_remedy",
    "judge_at",
    "judge_submission",
    "perft",
    "replay_record",
    "sample_game",
    "suggest_turns",
]

_MODULES: Final = {
    "compare": ("compare_records",),
    "lookahead": ("choose_ply", "perft", "sample_game", "suggest_turns"),
    "record_replay": ("replay_record",),
    "result": ("Refusal", "ReplayResult"),
    "submission": ("SubmissionResult", "find_remedy", "judge_at", "judge_submission"),
}
"""Module -> the public names that it holds."""


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
