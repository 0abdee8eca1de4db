"""Files for the browser: our own, plain or packed, and those of installed packages."""
