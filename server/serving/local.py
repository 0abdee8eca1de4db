"""The local engine: serves everything from this machine."""

import gc
import logging.config
import socket

from model.errors import HeadlightError
from server.metrics import shared_folder
from server.serving.config import log_config
from server.serving.limits import allow_open_files
from server.serving.supervisor import Supervisor
from server.serving.tls import tls_context
from server.settings import Settings

log = logging.getLogger("headlight")

BACKLOG = 2_048


class ListenError(HeadlightError):
    """The server cannot listen on the address: it is in use or not one of this machine's."""

    code = "listen"


def serve_locally(settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl+C.

    Raises:
        ListenError, TlsError: the server cannot start.
    """
    logging.config.dictConfig(log_config(settings))
    tls = tls_context(settings)
    sockets = listen(settings.host, settings.port)
    allow_open_files(settings)
    with shared_folder(settings.workers):
        from server.app import warm_up  # imports everything before the workers are forked

        warm_up(settings)
        gc.collect()
        gc.freeze()  # scanning imported objects would copy their memory pages into each worker
        host, port = sockets[0].getsockname()[:2]
        scheme = "http" if tls is None else "https"
        address = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
        log.info("Headlight is listening on %s (press Ctrl+C to stop)", address)
        # the pages of students do not link it, since it leads to the answers of the games
        log.info("For teachers: %s/learn/teachers", address)
        Supervisor(settings, sockets).run()


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
