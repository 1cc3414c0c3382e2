"""Scores one reply under guard and clock, names the function to blame, and finds what is right and wrong."""
