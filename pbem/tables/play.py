"""Moves of players: judged and turned into events, now or when their turn comes.

The rules of the game decide what is legal; this module knows which turn a letter is meant for, and what is kept for
later turns. At the end are the refusals of letters that are out of date; `workflow/sender_checks.py` finds these.
"""

from collections.abc import Callable, Container, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.chance import Dealer
from engine.game import CHANCE, GameRules, Ply, Seat
from engine.verdict import Verdict
from notation import Fault, read_moves, write_moves
from notation.phrases import phrases
from pbem.events.chain import Draft
from pbem.events.kinds import GameResumed, GameStarted
from pbem.judging.submission import (
    SubmissionResult,
    add_turn_state,
    awaited,
    is_on_turn,
    is_script,
    judge_at,
    judge_moves,
)
from pbem.tables import table_rules
from pbem.tables.absences import vacancy
from pbem.tables.chance import GameDealer, dealer_at, must_await_round, name_round
from pbem.tables.consequences import apply_consequences, draft_turn
from pbem.tables.decision import Decision, Refused
from pbem.tables.table import PLAYING, Table, Vote
from pbem.tables.terms import subject_of

_NOBODY: Final[Mapping[Seat, str]] = MappingProxyType({})


def start(table: Table, dealer: Dealer) -> Draft | None:
    """The event that starts a game, with the set-up drawn, or the one that names the round the draw waits for."""
    if must_await_round(dealer, table):
        return name_round(dealer, table, CHANCE)
    return Draft(GameStarted(dict(table.game.lay_out(table.setup, dealer_at(dealer, table)).options)))


def play(
    table: Table,
    seat: Seat,
    text: str,
    dealer: Dealer,
    *,
    turn: int | None = None,
    letter: str = "",
    by: str = "player",
    until: str = "",
) -> Decision:
    """Judge moves for the turn that is due; all of them stand, or none. `until` is when an offer among them ends.

    Where chance speaks in the middle of them, what was made before stands, and the rest is made as far as it is legal.
    Where others are asked something, the rest waits for their answers.
    """
    refused = _out_of_turn(table, seat, turn, by)
    if refused is not None:
        return Decision(refused=refused)
    ruling = judge_at(table.game, table.position, seat, _without_roll(table, seat, text))
    # In games where several seats may act in a turn, the game itself says why a move is refused.
    if seat not in table.due and not ruling.is_legal and not is_script(table.game):
        return Decision(refused=_not_due(table, seat))
    if not ruling.is_legal:
        return Decision(ruling=ruling)
    if turn not in (None, table.turn) and not _only_answers(table, seat, ruling.moves):
        return Decision(refused=_stale(table, turn))
    if table.due == (CHANCE,) and not _may_void_round(table, seat, ruling.moves, dealer):
        return Decision(refused=Refused(table_rules.T2, "a draw comes first; send this again when it is known"))
    ruling = ruling._replace(answers=not is_on_turn(table.game, table.position, seat), until=until)
    drafts = [*draft_turn(table, seat, ruling.moves, by=by, letter=letter, until=until)]
    if vacancy(seat) in table.pauses:
        drafts.insert(0, Draft(GameResumed(vacancy(seat), by=seat)))
    happened, reached = apply_consequences(table, drafts, dealer)
    return _go_on(reached, happened, ruling, dealer, letter=letter, by=by)


def resume(table: Table, seat: Seat, text: str, dealer: Dealer, *, letter: str, until: str = "") -> Decision:
    """Play moves that waited for answers, as far as they are legal now."""
    moves = read_moves(table.game, text)
    if isinstance(moves, Fault):
        return Decision(ruling=SubmissionResult(seat, table.turn, fault=moves))
    ruling = SubmissionResult(seat, table.turn, position=table.position, later=moves, until=until)
    return _go_on(table, (), ruling, dealer, letter=letter, by="player")


def hold(table: Table, seat: Seat, text: str) -> Decision:
    """Play none of the moves that waited, because their player has to answer something first."""
    moves = read_moves(table.game, text)
    later = () if isinstance(moves, Fault) else moves
    return Decision(
        ruling=add_turn_state(table.game, SubmissionResult(seat, table.turn, position=table.position, later=later))
    )


def _go_on(
    reached: Table, happened: tuple[Draft, ...], ruling: SubmissionResult, dealer: Dealer, *, letter: str, by: str
) -> Decision:
    """The rest of a turn that has come as far as `reached`, played until a rule or a question stops it."""
    game, seat = reached.game, ruling.seat
    while ruling.later and _may_go_on(reached, ruling):
        made, stopped = _as_far_as_legal(reached, seat, ruling.later)
        ruling = _add(ruling, reached, made, stopped)
        if made:
            drafts = draft_turn(reached, seat, made, by=by, letter=letter, until=ruling.until)
            more, reached = apply_consequences(reached, drafts, dealer)
            happened += more
        if stopped is not None:
            break
    ruling = ruling._replace(position=reached.position)
    if ruling.later and ruling.stopped is None and reached.stage == PLAYING and reached.turn == ruling.turn:
        waits = (CHANCE,) if reached.rounds.round else awaited(game, reached.position, seat, _last(ruling))
        ruling = ruling._replace(awaits=waits)
    return Decision(happened, ruling=add_turn_state(game, ruling))


def _may_go_on(table: Table, ruling: SubmissionResult) -> bool:
    """Whether the seat can play on in the same turn without waiting for answers."""
    if table.stage != PLAYING or ruling.seat not in table.due or table.turn != ruling.turn:
        return False
    return not awaited(table.game, table.position, ruling.seat, _last(ruling))


def _last(ruling: SubmissionResult) -> object:
    return ruling.moves[-1] if ruling.moves else None


def _as_far_as_legal(table: Table, seat: Seat, moves: tuple[object, ...]) -> tuple[tuple[object, ...], Verdict | None]:
    """The moves up to the first illegal one or to a draw of chance, and the verdict on the next."""
    ruling = judge_moves(table.game, table.position, seat, moves)
    if ruling.verdict is None:
        return ruling.moves, None
    return moves[: ruling.refused], ruling.verdict


def _add(ruling: SubmissionResult, table: Table, made: tuple[object, ...], stopped: Verdict | None) -> SubmissionResult:
    moves = (*ruling.moves, *made)
    phrase = write_moves(table.game, moves) if moves else ""
    return ruling._replace(moves=moves, phrase=phrase, later=ruling.later[len(made) :], stopped=stopped)


def _out_of_turn(table: Table, seat: Seat, turn: int | None, by: str) -> Refused | None:
    if table.stage != PLAYING:
        return Refused(table_rules.T3, "this game has not begun, or is over")
    if by == "player" and seat in table.resigned:
        return Refused(table_rules.T3, "you have given this game up", {"seat": seat})
    if turn is not None and turn < table.asked_in.get(seat, table.turn):
        return _stale(table, turn)
    if turn is not None and turn > table.turn:
        return Refused(
            table_rules.T2, "the game is at turn {now}; for a later turn begin with `plan`", {"now": table.turn}
        )
    return None


def forced_moves(table: Table, seat: Seat, *, rolls: bool = True) -> str:
    """The move that is made for a seat at once, because all can see that it has no other; in notation, empty if none.

    It follows from what is public alone: the terms, the public view, and that no letter of the seat waits to be played.
    Without `rolls` the player wants to roll the dice.
    """
    if not table.plays_forced or seat in table.resigned or table.pencil(seat) is not None:
        return ""
    move = table.game.forced(table.position, seat)
    if move is None or (move == table.game.roll and not rolls):
        return ""
    return write_moves(table.game, (move,))


def _without_roll(table: Table, seat: Seat, text: str) -> str:
    """Moves without a roll at their beginning, if the dice are rolled already: many begin with it from habit."""
    game, moves = table.game, read_moves(table.game, text)
    if isinstance(moves, Fault) or len(moves) < 2 or moves[0] != game.roll:
        return text
    is_rolled = any(
        (entry.who, entry.number) == (seat, table.turn) and moves[0] in entry.moves for entry in table.entries
    )
    return write_moves(game, moves[1:]) if is_rolled and game.judge(table.position, Ply(seat, moves[0])) else text


def _stale(table: Table, turn: int | None) -> Refused:
    facts = {"turn": turn, "now": table.turn}
    return Refused(table_rules.T1, "turn {turn} is played already; the game is at turn {now}", facts)


def _only_answers(table: Table, seat: Seat, moves: tuple[object, ...]) -> bool:
    """Whether moves written for an earlier turn only answer a question that the seat was asked then and still is.

    Its own turn may have come since, which the player could not know.
    """
    return not is_on_turn(table.game, table.position, seat) or _answers_questions(table, seat, moves)


def _may_void_round(table: Table, seat: Seat, moves: tuple[object, ...], dealer: Dealer) -> bool:
    """Whether moves may be made while chance is due, which makes the round void that it waits for.

    Only answers may, of which there are few, and only while nobody can know the round: else somebody who can would
    choose between two draws.
    """
    if not table.rounds.round:
        return True
    is_secret = isinstance(dealer, GameDealer) and dealer.moment < table.rounds.out
    return is_secret and _answers_questions(table, seat, moves)


def _answers_questions(table: Table, seat: Seat, moves: tuple[object, ...]) -> bool:
    """Whether every one of some moves answers something that the seat was asked."""
    game, position = table.game, table.position
    for move in moves:
        asked = game.by_default(position, seat)
        position = game.apply(position, Ply(seat, move))
        # The default answer changes once a question is answered.
        if asked is None or game.by_default(position, seat) == asked:
            return False
    return True


def _not_due(table: Table, seat: Seat) -> Refused:
    """The refusal of moves from a seat that is not due."""
    facts = {"now": table.turn, "seat": seat, "due": ", ".join(table.due)}
    return Refused(table_rules.T2, "it is {due}'s turn; to keep a move for yours, begin with `plan`", facts)


def plan(table: Table, seat: Seat, texts: tuple[str, ...]) -> Decision:
    """Store moves for later turns; they must be readable, but are judged later."""
    if table.stage != PLAYING or seat in table.resigned:
        return Decision(refused=Refused(table_rules.T3, "you have no game to plan for", {"seat": seat}))
    asked = table.game.by_default(table.position, seat) is not None
    if seat in table.due and not asked and texts:
        says = "it is your turn now; send the move itself, a plan is for later turns"
        return Decision(refused=Refused(table_rules.T4, says, {"seat": seat}))
    phrases = []
    for text in texts:
        moves = read_moves(table.game, text)
        if isinstance(moves, Fault):
            return Decision(ruling=SubmissionResult(seat, table.turn, fault=moves))
        phrases.append(write_moves(table.game, moves))
    return Decision(plan=tuple(phrases))


class Pending(NamedTuple):
    """What a seat can answer or do now, which decides between two meanings of a word in a letter."""

    has_votes: bool
    """Whether there is a vote that the seat has not agreed to yet."""
    allows: Callable[[str], bool]
    """Whether the game lets the seat make a move now, in the game's notation."""
    places: Container[str] = frozenset()
    """The names of the board's places, where places have names."""
    names: Mapping[str, Seat] = MappingProxyType({})
    """What the players are called, in small letters, each with the seat; a name that two of them have is left out."""
    pencil: str = ""
    """The moves of the seat that are pencilled, in the game's notation; empty if none are."""
    seat: Seat = ""
    """Whose turn, answer or letter it is about."""
    asked: tuple[str, ...] = ()
    """The moves that our last question to the seat offered as its answers, in the game's notation."""
    settles: Callable[[str], bool] = lambda text: True
    """Whether it lets the seat make these moves, and none of them would have to wait for others or for chance."""
    shows: Callable[[str], bool] = lambda text: False
    """Whether it lets the seat make these moves, and some wait only because one before them shows something hidden."""
    forms: Callable[[], tuple[str, ...]] = tuple
    """A legal move of each kind that the seat can make, in the game's notation."""
    orders: Callable[[], tuple[str, ...]] = tuple
    """All of them."""
    fills: bool = True
    """Whether what is left out of a move is filled in, where only one thing makes it legal."""


def find_pending(table: Table, seat: Seat) -> Pending | None:
    """What a seat can answer or do now; None where no game is being played."""
    if table.stage != PLAYING:
        return None
    has_votes = any(seat not in vote.agreed for vote in table.votes.values())
    pending = open_to(table.game, table.position, seat, has_votes=has_votes, names=table.names)
    pencil, judged = table.pencil(seat), pending.allows
    # A roll from habit is passed over, so what stands after it counts.
    pending = pending._replace(allows=lambda text: judged(_without_roll(table, seat, text)))
    return pending if pencil is None else pending._replace(pencil=pencil.text)


def open_to(
    game: GameRules, position: object, seat: Seat, *, has_votes: bool = False, names: Mapping[Seat, str] = _NOBODY
) -> Pending:
    """What a seat can do in a position; `names` are those of the players."""
    reader = phrases(game.key)
    places = reader.book.places(position) if reader is not None and reader.book.places is not None else ()
    called = words_for_players(names)
    judged = cache(lambda text: judge_at(game, position, seat, text))  # asked more than once for a letter

    @cache
    def orders() -> tuple[str, ...]:
        return tuple(write_moves(game, (ply.move,)) for ply in game.legal(position) if ply.seat == seat)

    def forms() -> tuple[str, ...]:
        kinds = {type(ply.move): ply.move for ply in game.legal(position) if ply.seat == seat}
        return tuple(write_moves(game, (move,)) for move in kinds.values())

    return Pending(
        has_votes,
        allows=lambda text: judged(text).is_legal,
        places=frozenset(places),
        names=called,
        seat=seat,
        settles=lambda text: judged(text).is_legal and not judged(text).later,
        shows=lambda text: judged(text).is_legal and judged(text).disclosed,
        forms=forms,
        orders=orders,
    )


def words_for_players(names: Mapping[Seat, str]) -> dict[str, Seat]:
    """What players are called in letters, in small letters: their names and first names, unless two share one."""
    said = [(word, each) for each, name in names.items() for word in {name.lower(), name.lower().split(" ")[0]}]
    return {word: each for word, each in said if word and [other for other, _ in said].count(word) == 1}


def refuse_gone_back() -> Refused:
    """Moves that were written before the table went back."""
    says = "your mail answers one from before we went back; if you still want it, answer this mail with it"
    return Refused(table_rules.T1, says)


def refuse_given_up() -> Refused:
    """A command that was written in a history which a restore has given up."""
    says = (
        "your mail answers one from before we lost some moves; look at the game now, and if you still want it, answer "
        "this mail with it"
    )
    return Refused(table_rules.T1, says)


def refuse_declined(seat: Seat) -> Refused:
    """Anything from somebody who has declined the seat."""
    says = "you have declined this game; your place is free for somebody else"
    return Refused(table_rules.I1, says, {"seat": seat})


def refuse_replaced_offer(maker: Seat) -> Refused:
    """An answer to an offer that was replaced by another."""
    says = "{maker} has changed the offer since; answer the new one"
    return Refused(table_rules.T6, says, {"maker": maker})


def refuse_newer_request(vote: Vote) -> Refused:
    """Consent to something that was asked after the answered mail was written."""
    says = "{who} asked this after the mail you answer; to agree, answer this mail with `{agree}`"
    return Refused(table_rules.V3, says, {"who": vote.by, "agree": f"agree {subject_of(vote.what)}"})


def refuse_unclear_consent(vote: Vote) -> Refused:
    """Consent that neither names its subject nor answers a mail of ours."""
    says = "we cannot tell which mail you answer; write `{agree}`"
    return Refused(table_rules.V3, says, {"agree": f"agree {subject_of(vote.what)}"})
