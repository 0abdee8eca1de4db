"""What a forked server has before it starts (tests/nursery.py): lessons, and the page's files."""

from server.app import warm_up
from server.pages.assets.vendor import vendor_body
from server.settings import Settings

warm_up(Settings())
vendor_body("plotly.min.js").encoded("br")
