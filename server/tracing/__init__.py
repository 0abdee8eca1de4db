"""Who computes what, and when: fair turns, work in slices, and what is remembered."""

from server.tracing.jobs import Cancelled, Job, Together
from server.tracing.tracer import Tracer
from server.tracing.workers import Workers

__all__ = ["Cancelled", "Job", "Together", "Tracer", "Workers"]
