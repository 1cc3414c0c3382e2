"""The predictions of a run, scored again by another version of the scoring."""
