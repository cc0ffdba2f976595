"""Every game with secrets, played by mail with real commitments: nothing leaves before its time, and everything opens.

All that leaves the post is searched for everything that its reader may not have, in every spelling; what is too short
to be searched for, a card or a number, `test_secrets` watches. Then every seal is opened, by a verifier that shares no
line with ours.
"""

import os
import re
from collections import Counter
from email import message_from_bytes
from pathlib import Path
from typing import cast

import pytest

from engine import registry
from engine.brotherhood import base_game, full_game
from engine.game import PUBLIC, Game
from pbem.events.chain import BY
from tests.known_games import known_game
from tests.post.post_games import TABLE
from tests.post.secrets.eager import KINDS, hasten, hidden_kinds
from tests.post.secrets.evenings import Evening, fields_of, keys_of, secrets_of
from tests.post.secrets.outputs import overhear
from tests.second_verifier.second_secrets import commitment
from tests.second_verifier.second_verifier import check

GAMES = {
    "shy-well": ("shy-well", {}),
    "nomadi": ("nomadi", {}),
    "nomadi, coins hidden": ("nomadi", {"Coins": "hidden", "Deals": "yes"}),
    "brotherhood-base": ("brotherhood-base", {}),
    "brotherhood": ("brotherhood", {}),
}
LONGER = int(os.environ.get("CARAVAN_LONGER", "1"))
LETTERS = {"shy-well": 24, "nomadi": 30, "brotherhood-base": 20, "brotherhood": 60}
"""How many letters are written; most in the Watch game, in which it takes longest until all is hidden once."""
OPENED = re.compile(rf"^opened {TABLE} (\d+) (\d+) ([0-9a-f]{{64}}) (.+)$", re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_keeps_its_secrets_and_opens_them_in_the_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test for each game, which is played once: it takes longer than all that is asked of it."""
    key, options = GAMES[name]
    game = registry.find_game(key)
    assert game is not None
    hasten(game, monkeypatch)
    with overhear(tmp_path, monkeypatch, game, options) as (court, outputs):
        evening = Evening(court, outputs)
        evening.play(LETTERS[key] * LONGER)
        every_kind_of_secret_came_up_and_everybody_got_something(evening)
        before_the_end_nobody_gets_what_is_not_his(evening)
        keys_leave_the_house_never(evening)
        whoever_may_know_a_value_got_it_opened_and_it_opens(evening)
        what_the_searcher_looks_for_would_be_found(evening)
        a_record_of_a_game_that_goes_on_opens_what_its_reader_may_know_and_no_more(evening)
        every_commitment_in_the_public_record_opens_at_the_end(evening)


def test_no_game_with_secrets_is_forgotten() -> None:
    games = {key: known_game(key) for key in (*registry.IN_HOUSE, "shy-well")}
    assert {key for key, game in games.items() if type(game).told is not Game.told} == KINDS.keys()
    assert {key for key, _ in GAMES.values()} == KINDS.keys()
    for key, law in (("brotherhood-base", base_game.LAW), ("brotherhood", full_game.LAW)):
        assert {kind.__name__.lower() for kind in law.told} == KINDS[key]


def text_of(raw: bytes) -> str:
    """The text of a mail without its bars, every line whole."""
    for part in message_from_bytes(raw).walk():
        if part.get_content_type() == "text/plain":
            text = cast("bytes", part.get_payload(decode=True)).decode().replace("\r\n", "\n")
            return text.replace("\n|   ", " ").replace("\n| ", "\n")
    raise AssertionError("a mail without text")


def every_kind_of_secret_came_up_and_everybody_got_something(evening: Evening) -> None:
    assert hidden_kinds(evening.town) == KINDS[evening.town.table.game.key]
    assert evening.asked
    for outputs in (evening.before, evening.after):
        kinds = Counter(output.name for output in outputs)
        assert {"journal", "record sirocco-7", "log", "status --all --json", "case.html", "case.zip"} <= kinds.keys()
        mails = Counter(output.reader for output in outputs if output.name.startswith("mail to"))
        assert mails.keys() == {*evening.town.friends, PUBLIC}
    assert any(b"outcome refused" in output.content for output in evening.before)


def before_the_end_nobody_gets_what_is_not_his(evening: Evening) -> None:
    for reader in (*evening.town.friends, PUBLIC):
        assert evening.hay(reader).find(secrets_of(evening, reader)) == []


def keys_leave_the_house_never(evening: Evening) -> None:
    for reader in (*evening.town.friends, PUBLIC):
        assert evening.hay(reader, over=True).find(keys_of(evening.town)) == []


def whoever_may_know_a_value_got_it_opened_and_it_opens(evening: Evening) -> None:
    """In his mails, while the game went on: all that was sealed for him until the commands were asked last."""
    sealed = {(field.seq, field.name): field for field in fields_of(evening)}
    anything = set()
    for seat in evening.town.friends:
        opened = set()
        for output in evening.before:
            if output.name.startswith("mail to") and output.reader == seat:
                for seq, name, blinding, value in OPENED.findall(text_of(output.content)):
                    field = sealed[int(seq), name]
                    assert (seat in field.readers, field.value, field.blinding.hex()) == (True, value, blinding)
                    made = commitment(bytes.fromhex(blinding), TABLE, int(seq), name, value)
                    assert made.hex() == field.commitment
                    opened.add((int(seq), name))
        due = {where for where, field in sealed.items() if seat in field.readers and where[0] <= evening.asked[-1]}
        assert due <= opened
        anything |= opened
    assert {sealed[where].value.split()[0] for where in anything} >= KINDS[evening.town.table.game.key] - {"choice"}


def what_the_searcher_looks_for_would_be_found(evening: Evening) -> None:
    """What somebody was given is there, in the spelling that was looked for; at the end all of it is there for all."""
    fields = list(fields_of(evening))
    for seat in evening.town.friends:
        own = {f"{field.seq}": field.blinding for field in fields if seat in field.readers}
        assert bool(evening.hay(seat).find(own)) == bool(own)
    public = evening.hay(PUBLIC, over=True)
    everything = {"seed": evening.row.seed, "blind key": evening.row.blind}
    everything |= {f"{field.seq} {field.name}": field.blinding for field in fields}
    assert len(public.find(everything)) == len(everything)


def every_commitment_in_the_public_record_opens_at_the_end(evening: Evening) -> None:
    record = next(output.content for output in evening.after if output.name == f"record {TABLE}").decode()
    signer = evening.town.context.signer
    assert signer is not None
    events, ending = check(record, signer.public.hex())
    assert (ending.seed, ending.blind) == (evening.row.seed.hex(), evening.row.blind.hex())
    opened = [(event.seq, seal.field, seal.value, seal.commitment) for event in events for seal in event.seals]
    assert opened == [(each.seq, each.name, each.value, each.commitment) for each in fields_of(evening)]
    hidden = ((event, seal) for event in events for seal in event.seals if seal.field != BY)
    kinds = {event.moves[int(seal.field)].split()[0] for event, seal in hidden}
    assert {"choice" if kind == "hidden" else kind for kind in kinds} == KINDS[evening.town.table.game.key]


def a_record_of_a_game_that_goes_on_opens_what_its_reader_may_know_and_no_more(evening: Evening) -> None:
    sealed = {(field.seq, field.name): field for field in fields_of(evening)}
    for output in evening.before:
        if output.name == f"record {TABLE}" or re.fullmatch(rf"record {TABLE} --as \w+", output.name):
            events, ending = check(output.content.decode())
            assert (ending.seed, ending.blind) == (None, None)
            for event in events:
                for seal in event.seals:
                    may_know = output.reader in sealed[event.seq, seal.field].readers
                    assert (seal.value is not None, seal.blinding is not None) == (may_know, may_know)
