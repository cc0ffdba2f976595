"""Whatever can happen at a table can be verified."""

from pbem.events.annotations import ENTRIES
from pbem.tables import fold
from pbem.verify.read_proof import SHAPES


def test_every_kind_of_event_that_a_table_knows_has_its_shape() -> None:
    assert {"opened", *fold._PLAYED, *fold._CHANGES} == {*SHAPES}


def test_every_entry_is_an_event_of_a_known_kind() -> None:
    assert {*ENTRIES} <= {*SHAPES}
