"""The parts of benchmarks/load.py.

texts.py      what is typed
recorded.py   the requests of the page for a keystroke and for a visit, recorded in Chromium
servers.py    the servers under test: where they run, their processor time and memory
typists.py    simulated people who type, and the outcome of each keystroke
measures.py   one function for each question
hostile.py    how much one hostile client can affect everybody else
joining.py    visitors who open the page
"""
