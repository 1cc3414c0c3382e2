"""What a benchmark is tried with: questions with known golds, formats, and canned replies."""
