"""The local engine: serves everything from this machine."""

import gc
import logging.config

from server.http.metrics import shared_folder
from server.http.serving.config import log_config
from server.http.serving.limits import allow_open_files
from server.http.serving.listening import listen
from server.http.serving.supervisor import Supervisor
from server.http.serving.tls import tls_context
from server.settings import Settings

log = logging.getLogger("headlight")


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
