"""One round of the clerk, for those who have no service running: a pipe that handles what it takes, or a timetable."""

from dataclasses import dataclass

from pbem.service.send_queue import forget_old_mails
from pbem.workflow.context import Office
from pbem.workflow.handle_letter import Outcome, work
from pbem.workflow.tick import Ticked, make_amends, tick


@dataclass(frozen=True, slots=True)
class Worked:
    """What a round has done."""

    letters: tuple[Outcome, ...]
    clocks: tuple[Ticked, ...]


def work_once(office: Office) -> Worked:
    """Handle the letters that have come, look at the clocks, then at letters that need not wait any longer.

    Whoever wrote in time is heard before the clock is. But time that the post has slept is given back first: a turn
    that a letter begins only now has lost none.
    """
    given_back = make_amends(office)
    first = tuple(work(office))
    clocks = (*given_back, *tick(office))
    worked = Worked((*first, *work(office)), clocks)
    forget_old_mails(office)
    return worked
