"""Brotherhood of the Watch: two games of one box, on the same code.

`base_game.py` has the base game (``brotherhood-base``), `full_game.py` the full game (``brotherhood``). Both run the
same code with different tables:

- A **Position** (`position.py`) is frozen. A **WorkingPosition** (`table.py`) holds the same facts and is changed in
  place; `WorkingPosition(position)` and `table.position()` turn one into the other. Judges and plays work on it.
- A **Law** (`law.py`) says what a game consists of: `kinds`, from each class of move to when it can be made, how it is
  judged and what it does; `stages`, who is due in each and what they can choose; numbers; and hooks.
- A turn has a **stage** (roll, trade, build) and an **agenda**: names of what must be settled before the stage goes
  on (``discard``, ``tormund``, ``steal``, ``draw``). `table.now` is the first item, or the stage. `table.proceed()`,
  called after every move, carries out items that wait for no seat, and in the base game looks for a winner.
- `judge.py`, `apply.py` and `legal.py` judge, play and list any ply by these tables, and know no single move.

What the Night's Watch adds: its facts are in `Position.watch` (class `Watch` in `wall_state.py`, None in the base
game), its moves are further entries of `Law.kinds`, its waiting points further entries of `Law.stages`. And the base
game calls these hooks, which do nothing in its own law:

- `law.rounds`: the stages that open the placements of set-up (the Watch adds a third round, of guards);
- `law.placed(table, who)` after a settlement of set-up, `law.settled` and `law.fortified` after a settlement or a keep
  was built and paid, `law.honoured` when a special card was received: the places where tokens are called for. What
  they put on the agenda with `table.add` is settled before the turn goes on, in the order of the calls;
- `law.after_roll`: items that follow production or the seven, after Tormund's theft (wildlings, then Tarly);
- `law.held(table)`: hexes that wildlings hold; `law.other_points` and `law.lines`: points for guards; `law.look`: its
  part of the view; `law.told`: what others may read of its moves.

Only the tables know which of the two games is played.

Where things are: `board` the map; `production` and `seven` what dice bring; `trade` the supply and offers; `building`
and `longest_road` pieces; `cards` development cards; `wall*` the Wall and the wildlings; `hero*` the heroes.
"""
