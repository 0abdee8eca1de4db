"""Who may come in: by which name, with which password; and how a request's cookies are read."""
