"""A letter's own words, parsed as commands.

Every line is a command, a move in the game's notation, words for somebody, or left alone and accounted for
(`parse_line`). What lines mean together:

- Lines that follow one another and hold one move each are one turn; empty lines between them do not matter. The same
  turn twice is one turn. Two different turns are a question.
- A line that looks like a move or begins like a command but is none is a question. Greetings and other prose are
  passed over. Quoted lines and lines of a record are never carried out.
- Lines of moves below `plan:` are one planned turn, and those below `preview:` are previewed as one. A bare move right
  below a planned one may be the rest of that turn and is a question, unless both are turns of several moves.
- A move beside a preview is a question, wherever it stands; so are words for somebody that run into a move.
- Commands are carried out in the order of their lines; what is below `preview:` comes after them, and plans last.
- A move beside an `undo` is a question: until it is agreed to, it is not known which position the move is meant for.
- Prose that puts off what stands in the letter is a question; about a rule, it is answered; about the move, talk.

With a question nothing in the letter is done.
"""

import re
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.game import GameRules
from engine.verdict import Rule
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import Command, LineMeaning, PlannedTurns
from pbem.mail.commands.command_grammar import EndOfCommands
from pbem.mail.commands.half_moves import complete_halves, complete_turn, limit_gaps
from pbem.mail.commands.letter_line import LetterLine, LineContext, MessageWords, Question, UnreadLine
from pbem.mail.commands.move_spans import TurnInProse
from pbem.mail.commands.numbered_lists import drop_list_numbers
from pbem.mail.commands.offer_times import take_out_time
from pbem.mail.commands.parse_line import parse_line
from pbem.mail.commands.parse_moves import Turn, has_rivals, is_script, join_turns, read_phrase, single_turn
from pbem.mail.commands.press import Press
from pbem.mail.commands.prose import has_condition_below_move, has_doubt, has_doubt_above_move
from pbem.mail.commands.questions import asked_in_prose
from pbem.mail.commands.retold import pass_over_retold
from pbem.mail.commands.submit_moves import PLAN, PREVIEW, MovesBelow, Plan, Play, Preview, find_contradiction
from pbem.mail.commands.weigh_prose import MoveNeighbour, ask_for_offer, ask_for_whole, ask_if_in_doubt, weigh_prose
from pbem.mail.format import mail_lines
from pbem.tables.play import Pending

CHARACTERS: Final = 8_192
LINES: Final = 200
MOVES: Final = 64
_SIGNATURE: Final = "--"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MOST_SUGGESTED: Final = 3
_MOST_EXPLAINED: Final = 12
"""Lines of which a player is told what is wrong with them; mails show fewer."""
_PLANNED: Final = "line {line} may belong to the plan above it; put the move for now first, plan before later turns"
_THEN: Final = re.compile(r"(?:and )?then(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedLetter:
    """The commands of a letter. Every line that is not empty is among `read` or `unread`."""

    commands: tuple[Command, ...] = ()
    unread: tuple[UnreadLine, ...] = ()
    question: Question | None = None
    read: tuple[int, ...] = ()
    """The numbers of the lines that were understood."""
    pencilled: tuple[Command, ...] = ()
    """What would be carried out, if the words beside it were known to be harmless; then `question` asks about them."""

    @property
    def plays(self) -> list[Play]:
        """The moves among the commands, carried out or pencilled."""
        return [command for command in self.commands or self.pencilled if isinstance(command, Play)]


def parse_commands(
    words: str, *, game: GameRules | None, playing: bool = True, pending: Pending | None = None
) -> ParsedLetter:
    """The commands of a letter. Without a game no line can be a move; before it is played, commands come first.

    `pending` says what is open at the table, where a word has two meanings; without it such a word is a question. It
    also knows which moves are legal, so that of several readings only those count that can be played.
    """
    return _parse(words, _LetterParser(game, playing=playing, pending=pending))


def _parse(words: str, parser: "_LetterParser") -> ParsedLetter:
    text = _SURROGATE.sub("\ufffd", words)
    written = lines = mail_lines(text)
    if len(text) > CHARACTERS or len(lines) > LINES:
        return ParsedLetter(question=_too_much(f"{len(text)} characters, {len(lines)} lines"))
    game, pending = parser.expect(lines)
    lines = drop_list_numbers(complete_halves(lines, game, pending), game, pending)
    lines, parser.until = take_out_time(lines, game, parser.parse)
    for number, (line, said) in enumerate(zip(lines, written, strict=True), start=1):
        parser.add_line(LetterLine(number, line, said))
    return parser.finish()


def parse_letter(
    words: str, shown: str, *, game: GameRules, playing: bool = True, pending: Pending | None = None
) -> ParsedLetter:
    """The commands of a letter whose words are in it twice, plain and `shown` in HTML; two moves are a question."""
    first = _LetterParser(game, playing=playing, pending=pending)
    parsed = _parse(words, first)
    plays = parsed.plays
    if not shown or not plays or shown.split() == words.split():
        return parsed
    others = _parse(shown, _LetterParser(game, playing=playing, pending=pending, same=first.same)).plays
    if not others or others == plays:
        return parsed
    facts = {"one": plays[0].format(), "other": others[0].format()}
    says = "your mail says two different things; {one} as plain text, {other} as HTML. Send the one you mean"
    asked = Question(letter_rules.L2, says, facts, suggests=(plays[0].text, others[0].text))
    return ParsedLetter((), parsed.unread, asked, parsed.read)


class _DeferredMoves(NamedTuple):
    """Lines of moves that are not played now: the verb that says what to do with them, and its line."""

    verb: str
    line: int
    turns: list[Turn]


class _LetterParser:
    """Takes the lines of a letter one by one, then says what they mean together."""

    def __init__(
        self,
        game: GameRules | None,
        *,
        playing: bool,
        pending: Pending | None,
        same: dict[tuple[str, bool], UnreadLine] | None = None,
    ) -> None:
        self._game = game
        self._playing = playing
        self._pending = pending
        self.until = ""
        """The time that stood behind an offer."""
        self._commands: dict[Command, None] = {}
        """Without repetitions, in the order of their lines."""
        self._before = 0
        """How many of them come before the first move."""
        self._groups: list[list[Turn]] = []
        """Turns; one list for lines that follow one another."""
        self._deferred: list[_DeferredMoves] = []
        """Turns that are planned or previewed."""
        self._forgets = False
        self._unread: list[UnreadLine] = []
        self._read: list[int] = []
        self._questions: list[Question] = []
        self._asked = 0
        """How many lines are asked about."""
        self._moves = 0
        """How many moves there are in all; once there are too many, no more are read."""
        self._doubts: list[UnreadLine] = []
        """Lines of prose that put the rest of the letter in doubt."""
        self._words: MessageWords | None = None
        """Words for somebody that may continue on the next line."""
        self._last: LineMeaning | None = None
        """The meaning of the last line that was not empty."""
        self._prose = ""
        """The text of that line, if it is prose."""
        self._ended = False
        self.same = {} if same is None else same
        """Lines of prose, by their text and whether gaps are filled: one that stands there often is read once."""
        self._beside: list[MoveNeighbour] = []
        """Prose and moves in the order of the letter; what the prose means for the moves is judged at the end."""

    def expect(self, lines: list[str]) -> tuple[GameRules | None, Pending | None]:
        """The game and what is open in it, for a letter of these lines."""
        if self._game is not None and self._pending is not None:
            self._pending = limit_gaps(self._game, lines, self._pending)
        return self._game, self._pending

    def add_line(self, line: LetterLine) -> None:
        """Parse one more line."""
        if (self._words is not None and self._add_to_words(self._words, line)) or not line.plain:
            return
        if self._ended or line.plain == _SIGNATURE:
            self._ended = True
            self._unread.append(line.unread(letter_rules.L9))
            return
        if self._moves > MOVES:
            self._unread.append(line.unread(letter_rules.L5))
            return
        found = self.parse(line)
        if isinstance(found, TurnInProse):
            self._beside.append(MoveNeighbour(line, found))
            self._join_parts(line, found)
            return
        prose = line.unread(letter_rules.L7) if isinstance(found, Press) else found  # it may be about the move
        if isinstance(prose, Turn) or (isinstance(prose, UnreadLine) and prose.why == letter_rules.L7):
            self._beside.append(MoveNeighbour(line, prose))
        self._note_doubt(line, prose)
        if isinstance(found, Turn) and self._may_continue_plan(line, found):
            self._note(line, line.unread(letter_rules.L6, None, _PLANNED))
        elif isinstance(found, Turn) and isinstance(self._last, MovesBelow):
            self._read.append(line.number)
            self._moves += len(found.moves)
            self._deferred[-1].turns.append(found)
        else:
            self._note(line, found)
            self._last = found

    def _join_parts(self, line: LetterLine, found: TurnInProse) -> None:
        """Note the moves of a line that holds prose as well."""
        if isinstance(self._last, MovesBelow | PlannedTurns):
            self._note(line, line.unread(letter_rules.L6, None, _PLANNED))
            return
        for turn in found.parts or (found.turn,):
            self._note(line, turn)
            self._last = turn
        self._prose = ""

    def _note_doubt(self, line: LetterLine, found: LineMeaning) -> None:
        """Note prose on a line, or on the one above it, that puts a move in doubt."""
        if isinstance(found, UnreadLine) and found.why == letter_rules.L7:
            goes_on = isinstance(self._last, Turn) and has_condition_below_move(line.plain)
            self._doubts += [found] if goes_on or has_doubt(line.plain) else []
            self._prose = line.plain
            return
        if isinstance(found, Turn) and isinstance(self._last, UnreadLine) and has_doubt_above_move(self._prose):
            self._doubts.append(self._last)
        self._prose = ""

    def parse(self, line: LetterLine) -> LineMeaning:
        """What one line means by itself."""
        key = line.text, self._pending is not None and self._pending.fills
        if key in self.same:
            return replace(self.same[key], line=line.number)
        explains = self._asked < _MOST_EXPLAINED
        found = parse_line(LineContext(line, self._game, self._playing, self._pending, explains))
        if isinstance(found, UnreadLine) and found.why == letter_rules.L7 and found.fault is None:
            self.same[key] = found
        return found

    def _may_continue_plan(self, line: LetterLine, turn: Turn) -> bool:
        """Whether a turn below a planned one may be the rest of it, so that it must not be played now."""
        above = self._last.turns if isinstance(self._last, PlannedTurns) else ()
        if self._game is None or not above:
            return False
        are_whole = min(len(turn.moves), len(above[-1].moves)) > 1 and not is_script(self._game)
        return not are_whole or _THEN.match(line.plain) is not None

    def _note(self, line: LetterLine, found: LineMeaning) -> None:
        if isinstance(found, UnreadLine):
            self._unread.append(found)
            self._asked += found.question is not None
            return
        self._read.append(line.number)
        match found:
            case EndOfCommands():
                self._ended = True
            case Turn():
                self._moves += len(found.moves)
                if not self._groups:
                    self._before = len(self._commands)
                if not isinstance(self._last, Turn):
                    self._groups.append([])
                self._groups[-1].append(found)
            case PlannedTurns():
                self._moves += sum(len(turn.moves) for turn in found.turns)
                self._deferred += [_DeferredMoves(PLAN, line.number, [turn]) for turn in found.turns]
                self._forgets = self._forgets or not found.turns
            case MovesBelow(verb):
                self._deferred.append(_DeferredMoves(verb, line.number, []))
            case MessageWords():
                self._words = found
            case Command():
                self._commands[found] = None

    def _add_to_words(self, words: MessageWords, line: LetterLine) -> bool:
        """Add a line to words for somebody; False if it does not belong to them."""
        if words.closed or (not words.braced and not line.plain):
            self._close_words(words)
            return False
        meaning = None if words.braced else self.parse(line)
        if isinstance(meaning, EndOfCommands | MessageWords):
            self._close_words(words)
            return False
        if meaning is not None and not isinstance(meaning, MovesBelow | UnreadLine | Press):
            says = "line {line} may be an order or part of your words; put an empty line before an order"
            self._unread.append(line.unread(letter_rules.L6, None, says, to=words.to))
            return True
        words.lines.append(line.text.rstrip())
        if line.plain:
            self._read.append(line.number)
        return True

    def _close_words(self, words: MessageWords) -> None:
        self._words = None
        if words.braced and not words.closed:
            self._ask_about_words(letter_rules.L3, "your words from line {line} on have no closing brace", words)
        elif not words.words:
            self._ask_about_words(letter_rules.L3, words.if_none_follow, words)
        else:
            self._commands[words.make(words.words)] = None

    def _ask_about_words(self, rule: Rule, says: str, words: MessageWords) -> None:
        self._questions.append(Question(rule, says, {"to": words.to, "line": words.line}, words.line))

    def finish(self) -> ParsedLetter:
        """What all lines mean together."""
        if self._words is not None:
            self._close_words(self._words)
        if self._moves > MOVES:
            self._questions.append(_too_much(f"{self._moves} moves"))
        first, last = [*self._commands][: self._before], [*self._commands][self._before :]
        found = [*first, *self._play(), *last, *self._preview(), *self._plan()]
        play = next((command for command in found if isinstance(command, Play)), None)
        self._unread, self._beside = pass_over_retold(self._unread, self._beside, play, self._game, self._pending)
        doubts = [unread.question for unread in self._unread if unread.question is not None]
        asked = next(iter([*doubts, *self._questions]), None)
        alone = None if asked or found else ask_for_offer(self._game, self._unread, self._pending)
        found += self._ask_for_rule() if not (asked or found or alone) else []
        alone = alone or (None if asked or found else ask_for_whole(self._game, self._unread, self._pending))
        question = asked or alone or find_contradiction(found)
        if question is None and play is not None and self._game is not None:
            known = next(iter(self._doubts), None)
            question = weigh_prose(self._beside, play, self._game, self._pending, known)
            if question is None or question.rule == letter_rules.L11:
                found += self._ask_for_rule(beside_move=True)
        if question is None and play is None:
            question = ask_if_in_doubt(found, self._doubts)
        pencilled = tuple(found) if question is not None and question.rule == letter_rules.L11 else ()
        carried_out = () if question is not None else tuple(found)
        return ParsedLetter(carried_out, tuple(self._unread), question, tuple(dict.fromkeys(self._read)), pencilled)

    def _ask_for_rule(self, *, beside_move: bool = False) -> list[Command]:
        """The rule that a letter asks for in a sentence."""
        sought = asked_in_prose(self._game, self._unread, beside_move=beside_move) if self._game is not None else []
        for line, _ in sought:
            self._unread.remove(line)
            self._read.append(line.line)
        return [command for _, command in sought]

    def _play(self) -> list[Command]:
        """The turn that the letter's moves make up."""
        if self._game is None or not self._groups:
            return []
        turn = single_turn(self._game, self._groups)
        if turn is None or self._are_two(turn):
            says = "your mail has more than one turn; send one, and write plan before later ones"
            self._questions.append(Question(letter_rules.L2, says, suggests=self._own_turns()))
            return []
        said = "\n".join(each.line.plain for each in self._beside if each.has_moves)
        turn = complete_turn(self._game, turn, said, self._pending)
        return [Play(turn.phrase, turn.number, self.until)]

    def _are_two(self, turn: Turn) -> bool:
        """Whether moves that could be one turn go on after an end, or are legal one by one but not together."""
        turns = [each for group in self._groups for each in group]
        parts = {each.phrase for each in turns}
        end = read_phrase(self._game, "end") if self._game is not None else None
        if end is not None and any(each.moves[-1:] == end and each != turns[-1] for each in turns[:-1]):
            return True
        if self._game is None or self._pending is None or self._pending.settles(turn.phrase):
            return False
        if not self._pending.allows(turn.phrase):
            return len(parts) > 1 and sum(map(self._pending.allows, parts)) > 1
        return has_rivals(self._game, turn, self._pending)

    def _own_turns(self) -> tuple[str, ...]:
        """The turns that the letter holds, to choose from."""
        if self._game is None:
            return ()
        joined = [join_turns(self._game, group) for group in self._groups]
        turns = [turn for turn in joined if turn is not None] if len(joined) > 1 else self._groups[0]
        phrases = dict.fromkeys(turn.phrase for turn in turns)
        legal = [each for each in phrases if self._pending is None or self._pending.allows(each)]
        return tuple(legal[:_MOST_SUGGESTED])

    def _preview(self) -> list[Command]:
        """A preview of the moves below each `preview:`."""
        return [Preview(phrase) for phrase in self._phrases(PREVIEW)]

    def _plan(self) -> list[Command]:
        """The plan for later turns."""
        planned = self._phrases(PLAN)
        return [Plan(planned)] if planned or self._forgets else []

    def _phrases(self, verb: str) -> tuple[str, ...]:
        """The turns that were announced with a verb; an announcement without moves below it is a question."""
        phrases = []
        for _, line, turns in [moves for moves in self._deferred if moves.verb == verb]:
            turn = join_turns(self._game, turns) if self._game is not None and turns else None
            if turn is not None:
                phrases.append(turn.phrase)
                continue
            says = "line {line} announces moves, but none follow; write {verb} and the move"
            if turns:
                says = "there is more than one turn below line {line}; begin each with {verb}"
            self._questions.append(Question(letter_rules.L3, says, {"line": line, "verb": verb}, line))
        return tuple(phrases)


def _too_much(found: str) -> Question:
    return Question(letter_rules.L5, "your mail is too long; it has {found}, so send the move alone", {"found": found})
