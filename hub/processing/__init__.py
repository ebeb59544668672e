"""From accepted submission to decided commission: translate, load, decide, write, in batches."""
