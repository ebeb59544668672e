"""What one order, click or read costs: counted, so that a busy machine tells the same as a quiet one."""
