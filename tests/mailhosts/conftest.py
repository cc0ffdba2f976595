"""Postfix and Dovecot of the tests' own, on ports of this machine, in a folder that is thrown away."""

import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

import pytest
import trustme

from pbem.mail.transport.lmtp import LmtpIntake
from pbem.mail.transport.protocols import Accepted
from pbem.settings.sections import LmtpSettings as LmtpWishes
from pbem.store.store import Store

HERE = Path(__file__).parent
SYSTEM = "/usr/sbin:/usr/local/sbin:/sbin:/usr/bin:/bin"
PASSWORD = "open sesame"  # noqa: S105 - everybody's here

DELIVER = """
import sys
from pbem.mail.transport.pipe import take_letter
from pbem.store.store import Store
url, sender, recipient = sys.argv[1:]
sys.exit(
    take_letter(sys.stdin.buffer, lambda: Store.create(url), largest=262_144, env_from=sender, env_to=[recipient])
)
"""


def until(holds: Callable[[], object], seconds: float = 40.0) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)


def is_open(port: int) -> bool:
    with closing(socket.socket()) as knock:
        return knock.connect_ex(("127.0.0.1", port)) == 0


def free_ports(names: str) -> dict[str, int]:
    """A port for each name, all different."""
    sockets = {name: socket.create_server(("127.0.0.1", 0)) for name in names.split()}
    ports = {name: int(one.getsockname()[1]) for name, one in sockets.items()}
    for one in sockets.values():
        one.close()
    return ports


@dataclass
class Hosts:
    """Two servers that know each other, and where to find them."""

    home: Path
    ports: dict[str, int]
    ca: Path
    chain: Path
    failures_of_pipe: int = 0
    runs_of_pipe: list[int] = field(default_factory=list)
    deliver: list[str] = field(default_factory=list)
    """What the pipe runs instead, with the envelope after it as options."""

    @property
    def log(self) -> str:
        """All that both servers had to say."""
        return "\n".join(path.read_text("utf-8", "replace") for path in sorted(self.home.glob("*.log")))

    @property
    def pipe_url(self) -> str:
        """The store that letters from the pipe are kept in."""
        return f"sqlite:///{self.home}/pipe.db"

    def maildir(self, user: str) -> Path:
        """The Maildir of a user at Dovecot."""
        return self.home / "mail" / user

    def write(self, name: str, target: Path) -> None:
        """A configuration from its file beside this one."""
        facts = {name: str(port) for name, port in self.ports.items()} | {
            "HOME": str(self.home),
            "CHAIN": str(self.chain),
            "HAND_OVER": str(self.home / "hand_over.sh"),
            "COMMANDS": str(Path(_find("postfix")).parent),
            "DAEMONS": _ask("postconf", "-hd", "daemon_directory"),
        }
        text = (HERE / name).read_text("utf-8")
        target.write_text(re.sub(r"@([A-Z_]+)@", lambda found: facts[found[1]], text), "utf-8")

    def run_pipe(self, stop: Event) -> None:
        """Run the program for every letter that Postfix lays into the spool, and answer with its exit code."""
        while not stop.is_set():
            for ready in (self.home / "spool").glob("*.ready"):
                sender, recipient = ready.read_text("utf-8").split("\n")[:2]
                ready.unlink()
                url = self.pipe_url
                if self.failures_of_pipe:
                    self.failures_of_pipe -= 1
                    url = f"sqlite:///{self.home}/no/such/folder.db"
                words = [sys.executable, "-c", DELIVER, url, sender, recipient]
                if self.deliver:
                    words = [*self.deliver, "--from", sender, "--to", recipient]
                with ready.with_suffix(".letter").open("rb") as letter:
                    code = subprocess.run(words, stdin=letter, check=False, stderr=subprocess.DEVNULL).returncode
                self.runs_of_pipe.append(code)
                draft = ready.with_suffix(".draft")
                draft.write_text(str(code), "ascii")
                draft.rename(ready.with_suffix(".code"))
            stop.wait(0.05)


def _find(name: str) -> str:
    found = shutil.which(name, path=SYSTEM)
    assert found is not None, f"{name} is not installed"
    return found


def _ask(name: str, *words: str) -> str:
    return subprocess.run([_find(name), *words], capture_output=True, text=True, check=True).stdout.strip()


@contextmanager
def running(hosts: Hosts) -> Iterator[None]:
    """Both servers, from their start to their end."""
    home = hosts.home
    for name in ("postfix", "queue", "data", "run", "state", "mail", "spool"):
        (home / name).mkdir()
    shutil.chown(home / "data", "postfix")
    shutil.chown(home / "mail", "nobody", "nogroup")
    (home / "spool").chmod(0o777)
    shutil.copy(HERE / "hand_over.sh", home)
    users = ("caravan", "anna", "boris", "chloe", "dora", "emil", "fred", "lena", "ola", "dov")
    (home / "users").write_text("".join(f"{user}:{{PLAIN}}{PASSWORD}::::::\n" for user in users), "utf-8")
    hosts.write("dovecot.conf", home / "dovecot.conf")
    hosts.write("postfix-main.cf", home / "postfix" / "main.cf")
    hosts.write("postfix-master.cf", home / "postfix" / "master.cf")
    postfix = [_find("postfix"), "-c", str(home / "postfix")]
    dovecot = subprocess.Popen([_find("dovecot"), "-F", "-c", str(home / "dovecot.conf")])
    stop = Event()
    pipe = Thread(target=hosts.run_pipe, args=(stop,))
    pipe.start()
    try:
        started = subprocess.run([*postfix, "start"], capture_output=True, text=True, check=False)
        assert started.returncode == 0, started.stderr + hosts.log
        until(lambda: all(is_open(hosts.ports[name]) for name in ("SMTP", "IMAP", "IMAPS", "DOVECOT_LMTP")))
        yield
    finally:
        subprocess.run([*postfix, "stop"], capture_output=True, check=False)
        dovecot.terminate()
        dovecot.wait(20)
        stop.set()
        pipe.join(20)


@pytest.fixture(scope="session")
def hosts() -> Iterator[Hosts]:
    """Both servers for all tests of a process. Their users must reach the folder, so it is not pytest's."""
    with tempfile.TemporaryDirectory(prefix="mailhosts-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        authority = trustme.CA()
        authority.cert_pem.write_to_path(home / "ca.pem")
        authority.issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.write_to_path(home / "chain.pem")
        ports = free_ports("SMTP IMAP IMAPS OURS DOVECOT_LMTP DOVECOT_AUTH")
        made = Hosts(home, ports, home / "ca.pem", home / "chain.pem")
        with running(made):
            yield made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(f"sqlite:///{tmp_path}/post.db") as opened:
        yield opened


@pytest.fixture
def listening(hosts: Hosts, store: Store) -> Iterator[Callable[[], None]]:
    """Our LMTP door, which the test opens when it likes."""
    stop = Event()
    way = LmtpIntake(
        LmtpWishes("127.0.0.1", hosts.ports["OURS"]), Accepted(262_144, lambda address: address.endswith("@post.test"))
    )
    threads: list[Thread] = []

    def start() -> None:
        threads.append(Thread(target=way.watch, args=(store, stop)))
        threads[0].start()
        assert way.listening.wait(20)

    yield start
    stop.set()
    for thread in threads:
        thread.join(20)
