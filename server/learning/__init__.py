"""Lessons: prose with live figures, ours and a teacher's own, checked when the server starts."""
