"""Scheduling and caching of computations: a fair queue, work in slices, bounded caches."""

from server.tracing.jobs import Batchable, Cancelled, Job
from server.tracing.tracer import Tracer
from server.tracing.workers import Workers

__all__ = ["Batchable", "Cancelled", "Job", "Tracer", "Workers"]
