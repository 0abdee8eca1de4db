"""The inspector as one HTML file that needs no server, and the course as static pages.

`page` puts a file together, `policy` forbids it to load anything, `inside` packs what it carries,
`live` and `recorded` say what that is: a model for the page's engine, or one trace.
"""
