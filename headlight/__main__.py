"""`python -m headlight` is the command `headlight`."""

from headlight.command import main

main()
