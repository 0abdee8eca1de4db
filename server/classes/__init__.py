"""A live class: one teacher, many people who follow, answer and find things, and no accounts.

    routes/classes.py ──▶ room (one per worker) ──▶ store (one for all workers)
                             │
                             └──▶ live: tells everybody who listens what changed

The store keeps sessions, people and answers; a document, what a page may see, is made from them.
"""
