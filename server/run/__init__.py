"""Who may run what, and when: admission, participants, models, and the tracing of runs."""
