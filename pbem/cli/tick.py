"""`pbem tick`: handle letters and clocks once."""

import traceback
from typing import TYPE_CHECKING

from pbem.service.idle import pass_idly
from pbem.service.lock import PostBusyError, take_lock
from pbem.store.errors import StoreDamagedError
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import DAMAGED_HISTORY, Config, load_settings, report_busy, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.service.single_run import WorkDone
    from pbem.settings.sections import Settings
    from pbem.terminal.post_outputs import ClockJson, HandledLetterJson


def tick(*, config: Config = None, json: AsJson = False) -> None:
    """Handle the letters that arrived, and check the clocks.

    Also writes reminders and digests, deals with late turns and tries waiting letters again; each once, however often
    you call this. Call it every few minutes where `pbem serve` does not run. `pbem send` sends what it wrote.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    try:
        with store_errors(report), take_lock(settings, "tick"):
            done = None if pass_idly(settings) else _work(settings)
    except PostBusyError as reason:
        report_busy(reason, report)
    if done is not None:
        _tell(done, report)
    report.end(letters=len(done.letters) if done else 0, clocks=len(done.clocks) if done else 0)


def _work(settings: "Settings") -> "WorkDone":
    """A whole pass. It loads the games, which takes several times as long as to see that nothing waits."""
    from pbem.service.key_rotation import refuse_other_key
    from pbem.service.post_folder import open_post
    from pbem.service.single_run import work_once

    with open_post(settings) as context:
        refuse_other_key(context)
        return work_once(context)


def _tell(done: "WorkDone", report: Report) -> None:
    from pbem.workflow.tick import BROKEN

    for one in done.letters:
        where = f" ({one.game} {one.seat})" if one.game else ""
        report.say(f"letter {one.letter}: {one.fate}, {one.reason}{where}")
        said: HandledLetterJson = {
            "letter": one.letter,
            "fate": one.fate,
            "reason": one.reason,
            "game": one.game,
            "seat": one.seat,
        }
        report.add(said)
    for each in done.clocks:
        if each.what == BROKEN:
            report.problem(f"{each.game}: {DAMAGED_HISTORY}", misuse=False)
        if isinstance(each.problem, StoreDamagedError):
            report.problem(f"{each.game}: {each.problem}", misuse=False)
        elif each.problem is not None:
            where = "".join(traceback.format_exception(each.problem))
            report.problem(
                f"{each.game}: its clock could not be checked; this is a bug in pbem:\n{where}", misuse=False
            )
        report.say(" ".join(filter(None, (f"{each.what}:", each.game, each.seat, each.detail))))
        clock: ClockJson = {"clock": each.what, "game": each.game or None, "seat": each.seat or None}
        report.add(clock)
