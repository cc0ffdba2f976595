"""How reliably somebody answers, in words: plain counts, and neither grades nor percentages."""

from collections.abc import Callable

from pbem.tables.reliability import Counts


def say_counts(say: Callable[..., str], counts: Counts) -> str:
    """All that is counted of a person, without what is zero."""
    if not counts.asked and not counts.excused and not counts.left:
        return say("counts_none")
    said = [say("counts_answers", counts.answers), say("counts_on_time", counts.on_time)]
    rest = {"counts_late": counts.late, "counts_missed": counts.missed, "counts_excused": counts.excused}
    rest["counts_left"] = counts.left
    return ", ".join((*said, *(say(name, count) for name, count in rest.items() if count)))


def say_share(say: Callable[..., str], counts: Counts) -> str:
    """The same in a few words, for a list of players."""
    if counts.is_new and not counts.left:
        return say("counts_new")
    left = (say("counts_left", counts.left),) if counts.left else ()
    return ", ".join((say("counts_share", counts.on_time, counts.asked), *left))
