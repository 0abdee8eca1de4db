"""The parts of benchmarks/scale.py.

costs.py     the costs of one keystroke, refusal and visit: the simulation's only inputs
measured.py  those costs, and load on two cores, measured on this machine
worker.py    one simulated server process: event loop, thread, caches and queue
people.py    simulated people who type and who open the page
run.py       simulates a room of people who use some workers
machines.py  how many people fit on a machine, and how many machines people need
report.py    the tables, in the terminal and in the documents
"""
