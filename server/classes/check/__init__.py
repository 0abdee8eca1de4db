"""`headlight class --check`: tests the room before the class comes. A row adds a check.

room.py          the server that is tested, and a class in it
place.py         what it needs before it starts: the store, disk, a free port, the certificate
certificate.py   the certificate's dates, names and who trusts it, and this machine's clock
network.py       addresses that a phone can reach, event streams, and a phone that tries
load.py          how many people this machine carries
report.py        runs all of them and prints what they find
connection.py    HTTP with little overhead, and follower.py a simulated page; for benchmarks, too
"""
