"""Worker processes: one replays a benchmark, a pool replaces those that hang or die."""
