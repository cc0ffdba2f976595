"""A Postfix of the benchmark's own, which takes mails at the usual price and throws them away.

It listens on a port of this machine, keeps its queue in a folder that is removed afterwards, and uses nothing of the
system's Postfix but its programs. Only root can start one.
"""

import os
import shutil
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

_PLACES: Final = "/usr/sbin:/usr/local/sbin:/sbin:/usr/bin:/bin"

_MAIN: Final = """\
compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
command_directory = {commands}
daemon_directory = {daemons}
mail_owner = postfix
setgid_group = postdrop
maillog_file = {home}/postfix.log
maillog_file_prefixes = {home}
myhostname = mx.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
local_recipient_maps =
alias_maps =
mynetworks = 127.0.0.0/8
disable_dns_lookups = yes
default_transport = discard:
smtpd_client_connection_rate_limit = 0
"""

_SERVICES: Final = """\
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
discard unix - - n - - discard
anvil unix - - n - 1 anvil
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
"""


def is_here() -> bool:
    """Whether a Postfix can be started."""
    return shutil.which("postfix", path=_PLACES) is not None and os.geteuid() == 0


@contextmanager
def running() -> Iterator[int]:
    """A Postfix from its start to its end; its port."""
    programs = Path(shutil.which("postfix", path=_PLACES) or "postfix").parent
    with tempfile.TemporaryDirectory(prefix="postfix-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        for name in ("etc", "queue", "data"):
            (home / name).mkdir()
        shutil.chown(home / "data", "postfix")
        port = _free_port()
        asked = [str(programs / "postconf"), "-hd", "daemon_directory"]
        daemons = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        (home / "etc/main.cf").write_text(_MAIN.format(home=home, commands=programs, daemons=daemons), "ascii")
        (home / "etc/master.cf").write_text(_SERVICES.format(port=port), "ascii")
        postfix = [str(programs / "postfix"), "-c", str(home / "etc")]
        subprocess.run([*postfix, "start"], capture_output=True, check=True)
        try:
            _wait_for(port)
            yield port
        finally:
            subprocess.run([*postfix, "stop"], capture_output=True, check=False)


def hand_over(port: int, letters: Sequence[bytes]) -> int:
    """Let it accept letters one after the other, each from somebody else and so in a conversation of its own."""
    for letter in letters:
        with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
            server.sendmail("anna@players.test", ["caravan@post.test"], letter)
    return len(letters)


def hand_over_all(port: int, mails: Sequence[bytes]) -> int:
    """Let it accept mails one after the other in one conversation, as our own way out does."""
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as server:
        for mail in mails:
            server.sendmail("caravan@post.test", ["anna@players.test"], mail)
    return len(mails)


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as one:
        return int(one.getsockname()[1])


def _wait_for(port: int) -> None:
    end = time.monotonic() + 20
    while True:
        with closing(socket.socket()) as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                return
        if time.monotonic() > end:
            raise TimeoutError("Postfix does not answer")
        time.sleep(0.05)
