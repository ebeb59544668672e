"""The table of acts: what people and programs do, each once, with who may do it and where it can be done."""
