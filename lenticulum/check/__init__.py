"""The engine: draw, run, shrink, judge, report."""
