"""`headlight serve --engine ray`: serves from a local Ray cluster or the one in RAY_ADDRESS."""

import logging
import os
import secrets
import signal
import sys
import threading
import time
from types import ModuleType

from headlight.extras import install
from model.errors import HeadlightError
from server.pages.assets.folders import ROOT
from server.settings import Settings

TRIES = 3  # to start Ray on this machine
TO_STOP_S = 30  # for Ray to notice that the replicas have stopped
POLL_S = 0.2  # between two looks at what is still open
OBJECT_STORE_BYTES = 512 * 1024**2  # responses pass through it; four of the largest fit

# Ray reads these once, when it is imported; the processes that it starts inherit them.
_RAY_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",  # send no usage statistics
    "RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH": "server.cluster.edge.middlewares",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # avoids a warning on machines without a GPU
}

# Called by name when a process of the cluster starts; `headlight` must be installed on all nodes.
_RUNTIME = {"worker_process_setup_hook": "headlight.application.enter_and_import"}

log = logging.getLogger("headlight")


class ClusterError(HeadlightError):
    """The cluster cannot be started."""

    code = "cluster"


def serve_with_ray(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM, then drain: open requests get the grace period to finish.

    Raises:
        ClusterError: Ray Serve is not installed.
        InputError: the settings name a model that is not served.
    """
    for name, value in _RAY_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    paths = os.environ.get("PYTHONPATH")  # of the processes that Ray starts
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), paths] if paths else [str(ROOT)])
    local = "RAY_ADDRESS" not in os.environ
    if local:  # Ray opens ports to the network: a random key keeps others out
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    try:
        import ray
        from ray import serve
    except ImportError as error:
        raise ClusterError(
            f"--engine ray needs Ray Serve ({error}). Run: {install('cluster')}"
        ) from None

    from ray.serve.schema import LoggingConfig

    from server.cluster.application import NAME, build

    application = build(settings)
    if local:
        _start_locally(ray)
    else:
        ray.init(logging_level=logging.WARNING, runtime_env=_RUNTIME)
    for number in (signal.SIGINT, signal.SIGTERM):  # replaces Ray's own handlers
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        serve.start(
            proxy_location="EveryNode",
            http_options={
                "host": settings.host,
                "port": settings.port,
                "ssl_certfile": settings.certfile and str(settings.certfile),
                "ssl_keyfile": settings.keyfile and str(settings.keyfile),
            },
            logging_config=LoggingConfig(log_level="WARNING", enable_access_log=False),
        )
        serve.run(application, name=NAME, route_prefix="/")
        threading.Event().wait()
    finally:
        _drain(serve, NAME, settings.shutdown_timeout_s)
        serve.shutdown()  # type: ignore[no-untyped-call]
        ray.shutdown()


def _drain(serve: ModuleType, name: str, grace_s: float) -> None:
    """Delete the app: the proxies deliver pending responses and refuse new requests.

    Ray's own wait ends after 60 s, whatever the grace period is.
    """
    serve.delete(name, _blocking=False)
    end = time.monotonic() + grace_s + TO_STOP_S
    while name in serve.status().applications and time.monotonic() < end:
        time.sleep(POLL_S)


def _start_locally(ray: ModuleType) -> None:
    """Start a cluster on this machine. On a busy machine Ray's 30 s are too short, so retry."""
    for left in reversed(range(TRIES)):
        try:
            ray.init(
                address="local",
                include_dashboard=False,
                object_store_memory=OBJECT_STORE_BYTES,
                logging_level=logging.WARNING,
                runtime_env=_RUNTIME,
            )
        except Exception as error:
            if left == 0:
                raise ClusterError(f"Ray could not start on this machine: {error}") from error
            log.warning("Ray did not start in time. Trying again.")
            ray.shutdown()
        else:
            return
