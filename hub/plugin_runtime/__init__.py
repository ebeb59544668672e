"""The plugin host's own program: loads the installed plugins, limits them, and answers what the hub asks of them."""
