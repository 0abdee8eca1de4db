"""The languages of the page: which there are, which one a reader gets, and what is said in it."""
