"""Tools for agents, by the Model Context Protocol: over stdin and stdout of a command, and at `/mcp` of the hub."""
