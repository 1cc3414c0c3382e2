"""Audits benchmarks offline: replays canned replies and reports where a score cannot be believed.

No model, no dataset and no network: the questions are a benchmark's own sample records, records the user names, or the
example that evalscope ships in a built-in's metadata. ``docs/audit.md`` has a section a rule.
"""
