"""What pages are made of: their assets, the lessons, and pages exported as files."""
