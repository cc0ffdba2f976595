"""Whatever people, strangers and forgers write: an address that never wrote gets one mail at most."""

from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.post.people.desks import Lobby, open_lobby

PEOPLE: Final = ("anna@people.test", "boris@people.test", "dov@people.test")
OTHERS: Final = ("eva@elsewhere.test", "eva+more@elsewhere.test", "fred@far.test", "gil@far.test", "hugo@off.test")
WORDS: Final = (
    *("open nomadi seats 2", "open through the desert seats 2 to 3", "open nomadi seats 3 private sesame", "tables"),
    *("join sirocco-1", "join mistral-2", "join khamsin-3 sesame", "leave", "start", "close", "keep", "my games", "me"),
    *("invite {other}", "invite {other} to sirocco-1", "challenge {other} at nomadi", "challenge boris at nomadi"),
    *("address {other}", "rematch", "wait for nomadi", "block dov", "unblock dov", "watch sirocco-1", "forget me"),
    *("yes", "no", "undo", "no more mail", "hello there", "resign", "accept", "record sirocco-1", "vacation none"),
)


def act(lobby: Lobby, random: Random, vouched: set[str]) -> None:
    """One letter, of a person, a stranger or somebody who forges one; it may answer a mail, even somebody else's."""
    who = random.choice(PEOPLE + OTHERS[3:])
    forged = random.random() < 0.2
    sender = random.choice(OTHERS) if forged else who
    boxes = [box for box in lobby.mails if lobby.mails[box]]
    box = who if who in boxes and random.random() < 0.8 else random.choice(boxes)
    to = str(random.choice(lobby.mails[box][-5:])["Reply-To"]) if boxes and random.random() < 0.6 else ""
    words = random.choice(WORDS).format(other=random.choice(OTHERS))
    verdict = random.choice(("fail", "none", "softfail")) if forged else "pass"
    if not forged:
        vouched.add(sender.lower())
    lobby.write(sender, words, to=to, verdict=verdict)
    if random.random() < 0.2:
        lobby.wait(hours=random.choice((1, 30, 100)))


@pytest.mark.parametrize("seed", range(8))
def test_nobody_is_mailed_who_did_not_write_but_for_one_mail(tmp_path: Path, seed: int) -> None:
    random, vouched = Random(seed), set(PEOPLE)
    with open_lobby(tmp_path / "post") as lobby:
        for who in PEOPLE:
            lobby.come_in(who, f"yes, I am {who.partition('@')[0].title()}")
        unasked: list[str] = []
        for _ in range(70):
            before = {box: len(mails) for box, mails in lobby.mails.items()}
            act(lobby, random, vouched)
            for box, mails in lobby.mails.items():
                unasked += [box.replace("+more", "")] * (len(mails) - before.get(box, 0)) * (box not in vouched)
    assert all(unasked.count(box) == 1 for box in unasked), unasked
    assert set(unasked) <= {box.replace("+more", "") for box in OTHERS}


def test_the_walk_meets_both_kinds_of_mail(tmp_path: Path) -> None:
    """What the walk looks for can happen: an invitation, and the question whether an address is somebody's new one."""
    with open_lobby(tmp_path) as lobby:
        lobby.come_in(PEOPLE[0])
        lobby.write(PEOPLE[0], f"open nomadi seats 2\ninvite {OTHERS[0]}\naddress {OTHERS[2]}")
        assert {box: len(mails) for box, mails in lobby.mails.items() if box in OTHERS} == {OTHERS[0]: 1, OTHERS[2]: 1}
