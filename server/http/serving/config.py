"""uvicorn's configuration."""

import logging
import ssl
from typing import Any

import uvicorn
from uvicorn.config import LOGGING_CONFIG

from server.http.serving.protocol import Protocol
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
        access_log=settings.log_level == "debug",
        server_header=False,
        timeout_graceful_shutdown=settings.shutdown_timeout_s,
        timeout_keep_alive=round(settings.idle_timeout_s),
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        ssl_context_factory=None if tls is None else lambda config, default: tls,
    )


def log_config(settings: Settings) -> dict[str, Any]:
    """uvicorn's logging configuration plus our logger, and without what people typed."""
    ours = {"headlight": {"handlers": ["default"], "level": settings.log_level.upper()}}
    usual = LOGGING_CONFIG["loggers"]
    access = {"uvicorn.access": {**usual["uvicorn.access"], "filters": ["paths"]}}
    return {
        **LOGGING_CONFIG,
        "filters": {"paths": {"()": PathsOnly}},
        "loggers": {**usual, **access, **ours},
    }


class PathsOnly(logging.Filter):
    """Cuts the parameters off the addresses in the access log: they hold the texts of readers."""

    def filter(self, record: logging.LogRecord) -> bool:
        client, method, address, *rest = record.args  # type: ignore[misc]  # as uvicorn logs it
        record.args = (client, method, str(address).partition("?")[0], *rest)
        return True
