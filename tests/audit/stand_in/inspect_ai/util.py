"""What a decorator notes on the functions it makes."""

from typing import Any


def registry_info(found: Any) -> Any:
    if not hasattr(found, 'noted'):
        raise ValueError('no registry info')
    return found.noted
