"""Rate limits, counted in one process or shared by several."""
