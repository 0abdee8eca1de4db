"""Tests the room before a class comes, with a server that has a class in it.

opened.py        the server that is tested, and a class in it
store.py         where classes are kept, and disk for it
network.py       addresses that a phone can reach, event streams, and a phone that tries
load.py          how many people this machine carries
connection.py    HTTP and event streams, and follower.py a simulated page; for benchmarks, too
"""
