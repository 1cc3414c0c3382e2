"""Checks the patches: release sources, git, test runs, and the list of patches."""
