"""Chinese: words without blanks, classifiers instead of agreement, correlatives and particles."""
