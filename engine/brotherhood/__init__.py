"""Brotherhood of the Watch: two games of one box, on one frame.

`the_gift.py` is the home of the base game (``brotherhood-base``), `the_watch.py` of the full game (``brotherhood``).
Both are the same machine with different tables:

- A **Position** (`position.py`) is frozen. A **Table** (`table.py`) is the same thing taken apart, on which a game is
  carried forward in place; `Table(position)` and `table.position()` lead to and fro. Judges and plays work on tables.
- A **Law** (`law.py`) says what a game consists of: `kinds`, from each class of move to when it can be made, how it is
  judged and what it does; `stages`, who is due in each and what they can choose; numbers; and hooks.
- A turn has a **stage** (roll, trade, build) and an **agenda**: names of what must be settled before the stage goes
  on (``discard``, ``tormund``, ``steal``, ``draw``). `table.now` is the first item, or the stage. `Table.proceed`,
  called after every move, lets items happen that need nobody, and in the base game looks for a winner.
- `course.py` judges and plays any ply by these tables, so that `judge`, `apply` and the quick `Run` are one thing.

How the Night's Watch joins: its own facts stand in `Position.watch` (class `wall.state.Watch`, None in the base game);
its moves are further entries of `Law.kinds`, its waiting points further entries of `Law.stages`; and the base game
calls

- `law.rounds`: the stages that open the placements of set-up (the Watch adds a third round, of guards);
- `law.placed(table, who)` after a settlement of set-up, `law.settled` and `law.fortified` after a settlement or a keep
  was built and paid, `law.honoured` when a special card was received: the places where tokens are called for. Whatever
  they put on the agenda with `table.add` is settled before the turn goes on, in the order of the calls;
- `law.after_roll`: items that follow production or the seven, after Tormund's theft (wildlings, then Tarly);
- `law.held(table)`: hexes that wildlings hold; `law.other_points` and `law.lines`: points for guards; `law.look`: its
  part of the view; `law.told`: what others may read of its moves.

The base game's own hooks do nothing. Nothing but the tables knows which of the two games is played.

The rooms: `board` the map; `production` dice, the seven, Tormund; `trade` the supply and offers; `building` roads,
settlements, keeps, Longest Road; `cards` development cards; `wall` and `heroes` the Night's Watch.
"""
