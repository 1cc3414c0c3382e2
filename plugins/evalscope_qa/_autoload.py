"""Where the .pth file of an older installation finds what a Python start runs."""

from . import start_up

start_up()
