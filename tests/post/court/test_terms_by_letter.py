"""A referee without a shell excuses a turn that was missed, and changes terms of the table, by two letters each."""

from contextlib import ExitStack
from pathlib import Path

from engine.through_the_desert import GAME as DESERT
from pbem.events.codec import encode
from tests.post.court.test_letters import play, summon
from tests.post.post_games import TABLE


def test_terms_and_excuses(tmp_path: Path) -> None:
    with ExitStack() as stack:
        town, judge = summon(stack, tmp_path, DESERT, 2, time__silence="play")
        play(town, 4)
        (late,) = town.table.due
        town.wait(days=9)
        missed = town.table.tally.missed_by(late)
        assert missed
        assert town.write(town.table.due[0], "press to referee: my mail was down\n\n").fate == "applied"
        judge.answer("excuse xyzzy: no such seat")
        assert "Nothing was done" in judge.text(), judge.text()
        judge.decide(f"excuse {late}: the mail was down")
        assert encode(town.events[-1].payload)["event"] == missed[-1]
        assert town.table.tally.missed_by(late) == missed[:-1]
        judge.answer("terms pace two fortnights: a storm")
        assert "Say what to change" in judge.text(), judge.text()
        judge.answer("terms pace 3d: as it is")
        assert "that is how you play already (PO-G1)".lower() in judge.text().lower(), judge.text()
        judge.decide(f"terms at {TABLE}: pace 2d, grace 6h, rest fri and sat. Reason: the holidays")
        assert "2 days for a turn (until now: 3 days for a turn)" in judge.text(), judge.text()
        told = [encode(event.payload) for event in town.events if event.kind == "note.changed"]
        assert [(each["term"], each["new"], each["by"]) for each in told] == [
            ("pace", "2d", "referee"),
            ("grace", "6h", "referee"),
            ("rest", "fri sat", "referee"),
        ]
        assert all("the holidays" in " ".join(town.last_text(each).split()) for each in town.friends)
