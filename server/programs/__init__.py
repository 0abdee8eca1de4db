"""The programs of lessons: small Python programs over tensors that readers may change and run.

What people write is never compiled. `language` walks its syntax, of which it knows an allow-list;
`allowed` lists the functions, methods and attributes that exist; `runner` is a process of its own,
which forks one with limits for every run; `running` is the server's side of it.
"""
