"""Makes glibc return freed memory to the system."""

import ctypes

_M_MMAP_THRESHOLD = -3  # malloc.h of glibc
THRESHOLD = 1024**2


def return_large_blocks() -> bool:
    """Make the C library map each block of 1 MiB or more separately. True if it supports that.

    By default glibc raises this threshold to the largest block freed so far (up to 32 MiB).
    Responses and patterns then come from its heap, and small blocks between them keep the heap
    from shrinking.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:  # macOS and musl have no such threshold
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, THRESHOLD))
