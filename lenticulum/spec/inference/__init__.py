"""Finite open models, their Bayesian inversions, and statistical games, in exact rational arithmetic."""
