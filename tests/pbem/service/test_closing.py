"""When to close, as the signals of the system say it."""

import signal
import subprocess
import sys

import pytest

BUSY = """
import time
from pbem.service.server import StopSignal

end = StopSignal()
with end.at_signals():
    print("open", flush=True)
    end.wait()
    print("closing", flush=True)
    time.sleep(60)  # a server that says nothing
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_asks_to_close_and_the_second_ends_the_process_at_once(how: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "open\n"
            process.send_signal(how)
            assert process.stdout.readline() == "closing\n"
            process.send_signal(how)
            assert process.wait(timeout=10) == -how
        finally:
            process.kill()
