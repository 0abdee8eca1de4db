"""The endpoints, one file for each kind of reader: people, programs, operators."""
