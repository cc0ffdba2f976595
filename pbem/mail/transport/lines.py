"""Why there is no line to a server, in words that say what to look at."""

from socket import gaierror


def tell_trouble(reason: Exception) -> str:
    """What is wrong with a line, without anything secret."""
    match reason:
        case ConnectionRefusedError():
            return "the connection was refused; is the server running, and is the port right?"
        case gaierror():
            return "no such host; is its name right, and is there a network?"
        case TimeoutError():
            return "no answer in time; is the server running, and does a firewall let us through?"
        case OSError() if reason.strerror:
            return reason.strerror
    return f"{type(reason).__name__}: {reason}"
