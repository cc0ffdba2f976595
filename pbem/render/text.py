"""The board as text: drawn for the eye, and as a list by owner for the ear."""

from engine.game import View
from pbem.render.environment import choose_template
from pbem.render.scenes import set_scene
from pbem.render.wishes import PLAIN, Wishes


def draw_text(key: str, view: View, wishes: Wishes = PLAIN) -> str:
    """The board in characters of fixed width, less than 80 to the line, with its signs explained."""
    return _fill("board.txt", key, view, wishes)


def list_by_owner(key: str, view: View, wishes: Wishes = PLAIN) -> str:
    """The same table in sentences, owner by owner, in an order that a screen reader can follow."""
    return _fill("owners.txt", key, view, wishes)


def _fill(name: str, key: str, view: View, wishes: Wishes) -> str:
    template = choose_template(key, name, wishes.tongue)
    return template.render(scene=set_scene(key, view, wishes))
