"""evalscope's own choice and yes/no benchmarks, their replies read strictly; off unless asked for. ``docs/choice.md``.

- ``table``: which benchmarks, and what each asks for
- ``questions``: what one question asks for, and where its options come from
- ``adapter``: what is put on top of the installed adapter
- ``making``: makes the benchmark of one name from the one that evalscope has
- ``aggregates``: precision, recall and F1 over every question asked
"""
