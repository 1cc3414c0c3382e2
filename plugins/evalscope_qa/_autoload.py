"""Waits for ``import evalscope``, then runs discovery."""
