"""Lessons: prose with live figures, our own and a teacher's, checked when the server starts."""
