"""uvicorn's configuration."""

import ssl
from typing import Any

import uvicorn
from uvicorn.config import LOGGING_CONFIG

from server.serving.protocol import Protocol
from server.settings import Settings


def uvicorn_config(settings: Settings, tls: ssl.SSLContext | None) -> uvicorn.Config:
    """The configuration of a worker, which builds its app from the HEADLIGHT_* variables."""
    return uvicorn.Config(
        "server.app:from_environment",
        factory=True,
        loop="uvloop",
        http=Protocol,
        ws="none",
        lifespan="on",
        log_level=settings.log_level,
        log_config=log_config(settings),
        access_log=settings.log_level == "debug",  # URLs contain what people typed
        server_header=False,
        timeout_graceful_shutdown=settings.shutdown_timeout_s,
        timeout_keep_alive=round(settings.idle_timeout_s),
        ssl_context_factory=None if tls is None else lambda config, default: tls,
    )


def log_config(settings: Settings) -> dict[str, Any]:
    """uvicorn's logging configuration plus our logger."""
    ours = {"headlight": {"handlers": ["default"], "level": settings.log_level.upper()}}
    return {**LOGGING_CONFIG, "loggers": {**LOGGING_CONFIG["loggers"], **ours}}
