"""The parts of benchmarks/scale.py.

costs.py     what one keystroke, refusal and visit cost: all that the simulation knows of a server
measured.py  those costs, and load on two cores, measured on this machine
worker.py    one simulated server process: its event loop, its thread, its caches, its queue
people.py    simulated people who type and who open the page
run.py       a room full of people at some workers, from start to end
machines.py  how many people fit on a machine, and how many machines people need
report.py    the tables, on the terminal and in the documents
"""
