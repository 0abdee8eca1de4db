"""The parts of benchmarks/load.py.

texts.py      what is typed
recorded.py   what the page sends for a keystroke and for a visit, recorded in Chromium
servers.py    the servers under test: where they run, their processor time and memory
typists.py    people who type at a server, and what they were answered
measures.py   one function for each question
hostile.py    what one person can do to everybody else
joining.py    visitors who open the page
"""
