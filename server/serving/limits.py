"""What a worker allows its connections, and how many the system lets it hold."""

import logging
import resource
from dataclasses import dataclass

from server.settings import Settings

log = logging.getLogger("headlight")

MAX_FILES = 65_536  # more open files than any worker needs; macOS refuses "unlimited"
FILES_OF_OURS = 100  # files served, pipes, the log: never left to connections


@dataclass(frozen=True)
class Limits:
    """Of one worker. Times in seconds."""

    connections: int
    head_s: float
    body_s: float
    idle_s: float
    write_s: float  # that a client may leave what it was sent unread
    sending_bytes: int  # of answers that are not read yet


def limits_of(settings: Settings) -> Limits:
    """The limits that the settings ask for, as far as the system allows."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    room = settings.max_connections
    if files != resource.RLIM_INFINITY:
        room = max(1, min(room, files - FILES_OF_OURS))
    return Limits(
        connections=room,
        head_s=settings.head_timeout_s,
        body_s=settings.body_timeout_s,
        idle_s=settings.idle_timeout_s,
        write_s=settings.write_timeout_s,
        sending_bytes=settings.sending_bytes,
    )


def allow_open_files(settings: Settings) -> None:
    """Raise this process's limit of open files as far as the system allows; workers inherit it.

    Many systems start every process with 1,024, for the sake of programs older than poll().
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    allowed = limits_of(settings).connections
    if allowed < settings.max_connections:
        log.warning(
            "A process may open %d files here, so a worker takes %d connections at once, "
            "not the %d of HEADLIGHT_MAX_CONNECTIONS. Raise the limit with ulimit -n.",
            resource.getrlimit(resource.RLIMIT_NOFILE)[0],
            allowed,
            settings.max_connections,
        )
