"""Callables from reply and gold to a score that are no benchmark: reward functions, scorers, filters of answers.

One is named, loaded and called in the form it has, and registered with evalscope as a benchmark of its own, so that
everything else of the audit applies to it unchanged. ``docs/audit.md`` says what the forms and the fields of a file of
questions are.
"""
