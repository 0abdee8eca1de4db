"""The parts of benchmarks/class.py.

network.py    proxies that cut connections at random, or hold event streams back
house.py      the server of the class: worker killed, server restarted, what it computed
people.py     the class: everyone's page, what they were sent and what they answered
pages.py      real pages in Chromium among them
lesson.py     the script: join, type, vote, draw; and what must be true afterwards
figures.py    percentiles, aims, and the lines that are printed
"""
