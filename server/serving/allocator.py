"""Memory that was freed goes back to the system."""

import ctypes

_M_MMAP_THRESHOLD = -3  # malloc.h of glibc
THRESHOLD = 1024**2


def return_large_blocks() -> bool:
    """Have the C library map blocks of 1 MiB and more one by one; whether it could be told to.

    By itself glibc raises that threshold to the largest block freed so far (up to 32 MiB): answers
    and patterns then come out of its heap, which small blocks in between keep from shrinking.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:  # macOS, musl: they have no such threshold
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, THRESHOLD))
