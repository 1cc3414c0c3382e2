"""As much of inspect_ai as its scorers are called with, under its names: states, targets, scores, one solver."""
