"""Speed, as ratios measured side by side in one run (`make bench`); load goes to loopback only, bounded in time."""
