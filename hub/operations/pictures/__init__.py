"""Pictures that people send: written anew, kept and shown."""
