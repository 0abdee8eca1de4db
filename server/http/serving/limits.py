"""The limits that a worker sets on its connections, and how many the system allows."""

import logging
from dataclasses import dataclass

from server.http.serving.system import open_files, set_open_files
from server.settings import Settings

log = logging.getLogger("headlight")

MAX_FILES = 65_536  # more open files than any worker needs; macOS refuses "unlimited"
RESERVED_FILES = 100  # for files served, pipes and the log


@dataclass(frozen=True)
class Limits:
    """The limits of one worker. Times are in seconds."""

    connections: int
    head_s: float
    body_s: float
    idle_s: float
    write_s: float  # how long a client may leave sent data unread
    sending_bytes: int  # total size of responses that clients have not read yet


def limits_of(settings: Settings) -> Limits:
    """The limits from the settings, reduced to what the system allows."""
    files = (open_files() or (-1, -1))[0]
    room = settings.max_connections
    if files >= 0:
        room = max(1, min(room, files - RESERVED_FILES))
    return Limits(
        connections=room,
        head_s=settings.head_timeout_s,
        body_s=settings.body_timeout_s,
        idle_s=settings.idle_timeout_s,
        write_s=settings.write_timeout_s,
        sending_bytes=settings.sending_bytes,
    )


def allow_open_files(settings: Settings) -> None:
    """Raise this process's limit on open files as far as the system allows; workers inherit it.

    Many systems start every process with a limit of 1,024 because programs that use select()
    need it.
    """
    if (found := open_files()) is None:
        return
    soft, hard = found
    wanted = MAX_FILES if hard < 0 else min(hard, MAX_FILES)
    if 0 <= soft < wanted:
        set_open_files(wanted, hard)
    allowed = limits_of(settings).connections
    if allowed < settings.max_connections:
        log.warning(
            "A process may open %d files here, so a worker accepts %d connections at once, "
            "not the %d set by HEADLIGHT_MAX_CONNECTIONS. Raise the limit with ulimit -n.",
            (open_files() or found)[0],
            allowed,
            settings.max_connections,
        )
