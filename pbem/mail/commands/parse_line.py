"""One line of a letter: a command, moves, the beginning of words for somebody, or none of these and why.

Lines are looked at alone here; what they mean together is for `parse_letter`.
"""

import re
from typing import Final

from engine.game import GameRules
from notation import Fault
from notation.player_text import is_bare_standing, may_be_standing
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import LineMeaning, ParsedLine
from pbem.mail.commands.command_grammar import NotACommand, begins_with, parse_command
from pbem.mail.commands.half_moves import says_end
from pbem.mail.commands.invitation import (
    ACCEPT,
    DECLINE,
    AcceptInvitation,
    DeclineInvitation,
    ask_for_answer,
    find_answer,
    knows_offers,
)
from pbem.mail.commands.letter_line import LetterLine, LineContext, MessageWords, UnreadLine
from pbem.mail.commands.move_spans import find_moves
from pbem.mail.commands.parse_moves import Turn, is_record_line, looks_like_moves, parse_turn
from pbem.mail.commands.pencil import find_plain_answer
from pbem.mail.commands.player_names import find_player
from pbem.mail.commands.press import Press
from pbem.mail.commands.questions import about_place, asked_by_name, is_about_rules
from pbem.mail.commands.standing import SetStanding
from pbem.mail.commands.submit_moves import FOR_OTHER_TURNS, Play
from pbem.mail.commands.vocabulary import small_talk
from pbem.tables.decision import ALL

_ALL: Final = "all|everybody|everyone|allemaal|iedereen|wszystkim|всем|כולם|לכולם"
_NAMED_WORDS: Final = re.compile(r"[^\W\d_]{2}")
_QUOTED: Final = (">", "|")
_ALIKE: Final = 0.8
_LONG_ENOUGH: Final = 4
_SHORT: Final = 6
"""How like a verb a word is that is taken for one, its letters, and the words of such a line."""


def parse_line(context: LineContext) -> LineMeaning:
    """What a line is that is not empty.

    Some games have moves that are called like commands: an offer is accepted, a turn is ended. Once such a game is
    being played, the move is meant; what it could be mistaken for has another name too, or no sense any more. Of other
    words with two meanings, `context.pending` tells which makes sense now; without it, or if both do, it is a question.
    """
    line = context.line
    if line.plain.startswith(_QUOTED):
        return line.unread(letter_rules.L8)
    words = _find_words(context) or _find_named_words(context)
    if words is not None:
        return words
    parsed = parse_command(line.bare)
    answer = find_answer(context, parsed)
    if answer is not None:
        return answer
    if context.game is None:
        return _resolve(context, parsed)
    turn = context.read_turn(line.bare)
    if turn is not None and says_end(line.bare, context.pending):
        return context.ask_for_move(context.game, line.bare)
    plain_answer = find_plain_answer(context, parsed, turn)
    if plain_answer is not None:
        return plain_answer
    if turn is not None:
        return turn if isinstance(parsed, NotACommand) else _choose(context, context.game, parsed, turn)
    meant = _resolve(context._replace(explains=False), parsed)
    if isinstance(meant, UnreadLine) and context.playing and _may_hold_moves(line, parsed, meant):
        text = context.prepare(context.join_places(line.bare))
        found = context.ask_which(context.game, text) or find_moves(context.game, text, context.pending)
        if found is not None:
            return found
    looks_like_move = isinstance(meant, UnreadLine) and meant.why == letter_rules.L1
    return _resolve(context, parsed) if looks_like_move and context.explains else meant


def _resolve(context: LineContext, parsed: ParsedLine | NotACommand) -> LineMeaning:
    """What a line means that holds no moves."""
    return _pass_over(context, parsed) if isinstance(parsed, NotACommand) else parsed.resolve(context)


def _may_hold_moves(line: LetterLine, parsed: ParsedLine | NotACommand, meant: UnreadLine) -> bool:
    """Whether moves in the middle of a line are meant for now: not after a verb for later ones, nor in a record."""
    if meant.why == letter_rules.L8 or begins_with(line.bare, *FOR_OTHER_TURNS):
        return False
    return isinstance(parsed, NotACommand | Play | AcceptInvitation | DeclineInvitation)


def _find_words(context: LineContext) -> MessageWords | None:
    """The words for somebody that a line begins, if it does."""
    head, colon, said = context.line.text.partition(":")
    press = parse_command(LetterLine(context.line.number, head).bare + ":") if colon else None
    return press.await_words(context, said) if isinstance(press, Press) else None


def _find_named_words(context: LineContext) -> Press | None:
    """Words for a player whose name and a colon stand before them, as in `Anna: good luck`.

    Mails tell moves in this form, so words that may hold one are none. They end with their line, and are still prose
    beside the moves of the letter.
    """
    game, pending = context.game, context.pending
    head, _, said = context.line.bare.partition(":")
    if game is None or pending is None or not context.playing or not re.fullmatch(r"[^\W\d_]{2,24}", head):
        return None
    to = find_player(head, pending.names) or context.seat_of(head.lower())
    is_other = to in pending.names.values() and to != pending.seat
    if not (is_other or re.fullmatch(_ALL, head, re.IGNORECASE)) or not _NAMED_WORDS.search(said):
        return None
    if looks_like_moves(game, said) or find_moves(game, context.prepare(said), pending) is not None:
        return None
    return Press(to if is_other else ALL, context.line.text.partition(":")[2].strip())


def _choose(context: LineContext, game: GameRules, parsed: ParsedLine, turn: Turn) -> LineMeaning:
    """What a line means that is a command and a move: the one that can be meant now, or else a question."""
    if parsed.gives_way:
        return turn if context.playing else parsed
    meant = parsed.choose(context, turn)
    if meant is not None:
        return meant
    spoken, written = parsed.format(), parse_command(turn.phrase)
    move = turn.phrase if isinstance(written, NotACommand) or written.gives_way else f"move {turn.phrase}"
    if parse_turn(game, spoken) is not None:
        says = "“{text}” is an order and a move; for the move write: {move}"
        return context.line.unread(letter_rules.L6, None, says, move=move)
    says = "“{text}” is an order and a move; for the order write: {order}; for the move write: {move}"
    return context.line.unread(letter_rules.L6, None, says, order=spoken, move=move)


def _pass_over(context: LineContext, found: NotACommand) -> LineMeaning:
    """A line that is neither a command nor a move; a few standing orders are known without being announced."""
    game, line = context.game, context.line
    asked = asked_by_name(game, line.bare) if game is not None else None
    places = context.pending.places if context.pending is not None else ()
    about = asked or about_place(context.join_places(line.bare), places)
    if about is not None:
        return about
    may_bid = game is not None and may_be_standing(game, line.bare)
    bid = parse_command(f"standing {line.bare}") if may_bid else None
    if game is not None and isinstance(bid, SetStanding) and is_bare_standing(game, bid.text):
        return bid.resolve(context)
    if begins_with(line.bare, ACCEPT, DECLINE) and _may_answer(context):
        return ask_for_answer(line, playing=context.playing)
    if game is not None and not found.begun and is_about_rules(game, line.bare):
        return line.unread(letter_rules.L7)
    if game is not None and looks_like_moves(game, line.bare) and not _greets(line.bare):
        if is_record_line(game, line.bare):
            says = "line {line} is written as in a record; to play it, send the move alone"
            return line.unread(letter_rules.L8, None, says)
        return context.ask_for_move(game, line.bare)
    if found.begun:
        says = "we cannot read the order in line {line}"
        return line.unread(letter_rules.L3, found.explain(line.number), says)
    return line.unread(letter_rules.L7, _misspelt(line, found))


def _may_answer(context: LineContext) -> bool:
    """Whether a line may be an answer to the invitation, or to an offer in the game."""
    if not context.playing:
        return True
    return knows_offers(context.game) and not any(map(str.isdecimal, context.line.bare))


def _greets(text: str) -> bool:
    """Whether a line greets or thanks somebody in two or three words: `Hello all`, though all is a word of the game.

    In some languages all come first.
    """
    words = re.findall(r"[^\W_]+", text.lower())
    if words[1:] and small_talk().openings.fullmatch(" ".join(words[1:])) and re.fullmatch(_ALL, words[0]):
        return True
    opening = small_talk().openings.match(text.lower())
    return opening is not None and re.fullmatch(r"\W*[^\W\d_]{2,}\W*", text[opening.end() :]) is not None


def _misspelt(line: LetterLine, found: NotACommand) -> Fault | None:
    """What is wrong with a short line whose first word is so near to a verb that little else can have been meant."""
    words = line.bare.split()
    if not 0 < len(words) <= _SHORT or len(words[0]) < _LONG_ENOUGH:
        return None
    return found.explain(line.number) if found.likeness >= _ALIKE else None
