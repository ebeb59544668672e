"""What an operator sees of a running hub: health, metrics, logs."""
