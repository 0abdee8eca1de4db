"""An LRU cache bounded by memory."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from prometheus_client import Gauge


class Cache:
    """Keeps the most recently used values, bounded by the memory that they hold."""

    def __init__(self, max_bytes: int, gauge: Gauge) -> None:
        self._max_bytes = max_bytes
        self._gauge = gauge
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self.nbytes = 0

    def get(self, key: Hashable) -> Any | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: Hashable, value: object, cost: int) -> None:
        """Store a value and evict the oldest ones. A value larger than the cache is not stored."""
        if cost > self._max_bytes:
            return
        with self._lock:
            self._drop(key)
            self._entries[key] = (value, cost)
            self.nbytes += cost
            while self.nbytes > self._max_bytes:
                self._drop(next(iter(self._entries)))
            self._gauge.set(self.nbytes)

    def drop(self, unwanted: Callable[[Hashable], bool] = lambda key: True) -> None:
        """Remove the entries whose keys are unwanted; by default, all."""
        with self._lock:
            for key in [key for key in self._entries if unwanted(key)]:
                self._drop(key)
            self._gauge.set(self.nbytes)

    def _drop(self, key: Hashable) -> None:
        if key in self._entries:
            self.nbytes -= self._entries.pop(key)[1]
