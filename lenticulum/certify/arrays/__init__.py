"""Honest bounds for functions of arrays: what is declared of them, and how a kernel is held to it."""
