"""Builds and checks the patches: release sources, edits, import rewriting, and what each patch consists of."""
