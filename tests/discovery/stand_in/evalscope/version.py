__version__ = '7.7.7'
