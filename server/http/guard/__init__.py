"""Access control: allowed host names, the password, and safe parsing of cookies."""
