"""What can go wrong between us and the database: the outside world's doing or our own bug, never a player's."""


class StoreError(Exception):
    """The store cannot do what it was asked."""


class StoreRefusedError(StoreError):
    """It will not be opened: its settings would lose letters, or its shape is not one we know."""


class StoreBusyError(StoreError):
    """Another process was writing for longer than we wait. Nothing was changed; try again later."""


class StoreFailedError(StoreError):
    """Reading or writing the disk failed, so what it holds is in doubt.

    The process must stop: after a failed flush a second one may report success for bytes that are gone. The store
    answers every further call with the same error.
    """


class StoreUncopiedError(StoreError):
    """No copy could be made; what there was before is as it was."""


class StoreDamagedError(Exception):
    """A row, or a whole table, is not what we wrote: the file was damaged or edited.

    It is no `StoreError`: it may concern one game alone, and then the others go on.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"the database is damaged: {what}; put a backup in its place")


class StoreOvertakenError(StoreError):
    """The letter was taken up again by somebody else, because we seemed to be dead. What we did is undone."""


class StoreConflictError(StoreError):
    """A row contradicts one that is already there, which one writer alone cannot cause: our own bug."""
