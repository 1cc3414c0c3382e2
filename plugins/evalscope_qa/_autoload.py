"""Where the .pth file of an older installation finds ``discovery.autoload``."""

from .discovery import autoload

autoload.install()
