"""The sockets that the server listens on."""

import socket

from model.errors import HeadlightError

BACKLOG = 2_048


class ListenError(HeadlightError):
    """The server cannot listen on the address: it is in use or not one of this machine's."""

    code = "listen"


def listen(host: str, port: int) -> list[socket.socket]:
    """Open a socket for each address that a host name resolves to."""
    try:
        found = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError as error:
        raise ListenError(f"Cannot listen on {host}: {error.strerror}.") from None
    sockets: list[socket.socket] = []
    failure: OSError | None = None
    for family, *_, address in dict.fromkeys(found):
        at = (address[0], port or (sockets[0].getsockname()[1] if sockets else 0), *address[2:])
        try:
            sockets.append(socket.create_server(at, family=family, backlog=BACKLOG))
        except OSError as error:
            failure = failure or error
    if not sockets:
        assert failure is not None
        raise ListenError(
            f"Cannot listen on {host}:{port}: {failure.strerror}. Choose another --host or --port, "
            "or stop the program that listens there."
        )
    for each in sockets:
        each.setblocking(False)
    return sockets


def check_free(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on.

    Raises:
        ListenError: as `listen`.
    """
    for each in listen(host, port):
        each.close()
