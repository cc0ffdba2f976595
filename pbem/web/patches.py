"""What differs between two boards, as a patch that a page can apply and undo.

A patch is a list of changes, made one after the other. Each names a place by child numbers from the root, ``"0.3.5"``:

- ``["0.3.5", {"x": "4", "class": null}]`` sets attributes of that element, and takes away those that are null;
- ``["0.3", 5, 2, ["<use …/>", 7]]`` takes two children of the element from the fifth on, and puts others there; a
  number stands for a node that several patches need (`NodeTable`).

Changes stand in such an order that every place is counted in the board before the patch. `templates/web/viewer.js`
does in a browser what `apply_patch` does here; a test holds them together.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple, TypeAlias

from pbem.web.trees import Element, Node, write_tree


class Attributes(NamedTuple):
    """Attributes of an element that have another value; None for those that are gone."""

    path: tuple[int, ...]
    values: tuple[tuple[str, str | None], ...]


class Splice(NamedTuple):
    """Children of an element that are taken out, and others in their place."""

    path: tuple[int, ...]
    at: int
    taken: int
    nodes: tuple[Node, ...]


Change: TypeAlias = Attributes | Splice
Patch: TypeAlias = tuple[Change, ...]


def compare_trees(before: Element, after: Element) -> Patch:
    """The patch that makes one tree of another; the roots have the same tag."""
    return tuple(_compare(before, after, ()))


def _compare(before: Element, after: Element, path: tuple[int, ...]) -> list[Change]:
    changes: list[Change] = []
    if before.children != after.children:
        changes += _compare_children(before.children, after.children, path)
    if before.attributes != after.attributes:
        old, new = dict(before.attributes), dict(after.attributes)
        gone = [(name, None) for name in old if name not in new]
        values = [(name, value) for name, value in new.items() if old.get(name) != value]
        if gone or values:
            changes.append(Attributes(path, (*gone, *values)))
    return changes


def _compare_children(before: Sequence[Node], after: Sequence[Node], path: tuple[int, ...]) -> list[Change]:
    """The changes among children, from the last to the first, so that each counts the children of `before`."""
    start, tail = _shared_ends(before, after)
    old, new = before[start : len(before) - tail], after[start : len(after) - tail]
    changes: list[Change] = []
    for tag, i, j, k, m in reversed(SequenceMatcher(None, old, new, autojunk=False).get_opcodes()):
        if tag != "equal":
            changes += _replace(old[i:j], new[k:m], path, start + i)
    return changes


def _shared_ends(before: Sequence[Node], after: Sequence[Node]) -> tuple[int, int]:
    """How many children are the same at the beginning and at the end."""
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    left = shorter - start
    tail = next((at for at in range(left) if before[-1 - at] != after[-1 - at]), left)
    return start, tail


def _replace(old: Sequence[Node], new: Sequence[Node], path: tuple[int, ...], at: int) -> list[Change]:
    """Other children in the place of some: those of a kind are changed one by one where that is shorter."""
    whole: list[Change] = [Splice(path, at, len(old), tuple(new))]
    single: list[Change] = []
    codes = SequenceMatcher(None, [_kind(node) for node in old], [_kind(node) for node in new], autojunk=False)
    for tag, i, j, k, m in reversed(codes.get_opcodes()):
        if tag != "equal":
            single.append(Splice(path, at + i, j - i, tuple(new[k:m])))
            continue
        for one, other, index in reversed(list(zip(old[i:j], new[k:m], range(at + i, at + j), strict=True))):
            single += _change(one, other, path, index)
    return single if _cost(single) < _cost(whole) else whole


def _change(one: Node, other: Node, path: tuple[int, ...], index: int) -> list[Change]:
    instead: list[Change] = [Splice(path, index, 1, (other,))]
    if isinstance(one, str) or isinstance(other, str):
        return instead
    within = _compare(one, other, (*path, index))
    return within if _cost(within) < _cost(instead) else instead


def _kind(node: Node) -> tuple[str, str]:
    """What a node is, whatever it says: nodes of a kind may be one thing at two moments."""
    return ("", "") if isinstance(node, str) else (node.tag, dict(node.attributes).get("class", ""))


def _cost(changes: Sequence[Change]) -> int:
    """About how many bytes some changes take."""
    return sum(
        len(str(change.values)) if isinstance(change, Attributes) else 12 + sum(map(_length, change.nodes))
        for change in changes
    )


def _length(node: Node) -> int:
    """About how long a node is when it is written."""
    if isinstance(node, str):
        return len(node)
    own = 2 * len(node.tag) + 5 + sum(len(name) + len(value) + 4 for name, value in node.attributes)
    return own + sum(map(_length, node.children))


class NodeTable:
    """Nodes that patches put in: those that come again are written once, and patches name them by number."""

    def __init__(self, patches: Iterable[Patch]) -> None:
        changes = [change for patch in patches for change in patch if isinstance(change, Splice)]
        times = Counter(write_tree(node) for change in changes for node in change.nodes)
        self.shared: Final = [markup for markup, count in times.items() if count > 1]
        """The nodes in the order of their numbers."""
        self._numbers = {markup: number for number, markup in enumerate(self.shared)}

    def write(self, patch: Patch) -> list[list[object]]:
        """A patch as plain data for a page."""
        return [self._write_change(change) for change in patch]

    def _write_change(self, change: Change) -> list[object]:
        path = ".".join(map(str, change.path))
        if isinstance(change, Attributes):
            return [path, dict(change.values)]
        written = map(write_tree, change.nodes)
        return [path, change.at, change.taken, [self._numbers.get(markup, markup) for markup in written]]


def apply_patch(tree: Element, patch: Patch) -> tuple[Element, Patch]:
    """The tree after a patch, and the patch that leads back."""
    undone: list[Change] = []
    for change in patch:
        tree, inverse = _apply(tree, change, change.path)
        undone.append(inverse)
    return tree, tuple(reversed(undone))


def _apply(element: Element, change: Change, path: tuple[int, ...]) -> tuple[Element, Change]:
    if path:
        child = element.children[path[0]]
        if isinstance(child, str):
            raise ValueError(f"a patch leads into text at {change.path}")
        made, inverse = _apply(child, change, path[1:])
        children = (*element.children[: path[0]], made, *element.children[path[0] + 1 :])
        return element._replace(children=children), inverse
    if isinstance(change, Attributes):
        old = dict(element.attributes)
        values = {**old, **dict(change.values)}
        back = tuple((name, old.get(name)) for name, _ in change.values)
        attributes = tuple((name, value) for name, value in sorted(values.items()) if value is not None)
        return element._replace(attributes=attributes), Attributes(change.path, back)
    before, after = element.children[: change.at], element.children[change.at + change.taken :]
    out = element.children[change.at : change.at + change.taken]
    return element._replace(children=(*before, *change.nodes, *after)), Splice(
        change.path, change.at, len(change.nodes), out
    )
