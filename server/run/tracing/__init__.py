"""Scheduling and caching of computations: a fair queue, work in slices, bounded caches."""

from server.run.tracing.jobs import Batchable, Cancelled, Job
from server.run.tracing.tracer import Tracer
from server.run.tracing.workers import Workers

__all__ = ["Batchable", "Cancelled", "Job", "Tracer", "Workers"]
