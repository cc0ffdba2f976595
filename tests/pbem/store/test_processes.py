"""Other processes and a failing disk: waiting is bounded, and nothing is acknowledged that is not kept."""

import subprocess
import sys
import threading
from textwrap import dedent

import pytest

from pbem.store.errors import StoreBusyError
from pbem.store.store import Store


def start(program: str, *words: str) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", dedent(program), *words], **pipes)  # type: ignore[call-overload, no-any-return]  # pipes are typed loosely


HOLDS_THE_PEN = """
    import sys
    from pbem.store.store import Store
    with Store.open(sys.argv[1]) as store:
        with store.transaction() as at_desk:
            at_desk.save_setting("writer", "the other")
            print("holding", flush=True)
            sys.stdin.readline()
"""


def test_who_waits_too_long_for_the_pen_is_told_and_changes_nothing(url: str) -> None:
    with Store.create(url, timeout=0.2) as store, start(HOLDS_THE_PEN, url) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "holding\n"
        with pytest.raises(StoreBusyError, match="another process keeps writing"):
            store.receive(b"x", intake="pipe")
        with store.reading() as at_desk:
            assert at_desk.load_setting("writer") is None, "looking is not kept from it, and sees nothing half done"
        other.communicate("let go\n")
        assert store.receive(b"x", intake="pipe").id == 1, "being busy is no reason to stop for good"
        assert store.counters().received == 1


RECEIVES = """
    import sys
    from pbem.store.store import Store
    with Store.create(sys.argv[1]) as store:
        for number in range(25):
            print(store.receive(f"{sys.argv[2]} {number % 20}".encode(), intake="pipe").id)
"""


def test_two_processes_make_a_store_and_take_letters_side_by_side_and_none_is_lost(url: str) -> None:
    both = [start(RECEIVES, url, name) for name in ("left", "right")]
    numbers = [[int(number) for number in one.communicate()[0].split()] for one in both]
    assert [one.returncode for one in both] == [0, 0]
    assert {*numbers[0]}.isdisjoint(numbers[1])
    with Store.open(url) as store:
        counters = store.counters()
    assert (counters.received, counters.unread, counters.duplicate, counters.difference) == (50, 40, 10, 0)


def test_threads_share_a_store_one_after_the_other(store: Store) -> None:
    def receive(name: str) -> None:
        for number in range(10):
            store.receive(f"{name} {number}".encode(), intake="pipe")

    threads = [threading.Thread(target=receive, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.counters().unread == 40


MEETS_A_FULL_DISK = """
    import resource, sys
    from pbem.store.errors import StoreFailedError
    from pbem.store.store import Store
    store = Store.create(sys.argv[1])
    store.receive(b"before", intake="pipe")
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    for number in range(2):
        try:
            store.receive(bytes(300_000), intake="pipe")
        except StoreFailedError as reason:
            print("failed:", reason)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""


def test_after_the_disk_failed_once_the_store_never_tries_again(file_url: str) -> None:
    url = file_url
    with start(MEETS_A_FULL_DISK, url) as process:
        told = process.communicate()[0].splitlines()
    assert process.returncode == 0
    # The second time there would be room, but what the disk holds is in doubt until a new start looks at it.
    assert len(told) == 2
    assert all(line.startswith("failed: the disk failed, so nothing more is written") for line in told)
    with Store.open(url) as store:
        counters = store.counters()
        assert (counters.received, counters.unread, counters.difference) == (1, 1, 0)
