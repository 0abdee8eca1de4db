"""German: cases, genders, verbs in two parts and at the end."""
