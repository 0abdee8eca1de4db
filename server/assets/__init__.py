"""Files for the browser: ours, plain and packed; others' out of the packages that bring them."""
