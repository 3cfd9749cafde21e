"""The parts of the independent checker: standard library only, no numeric code shared with the maker.

Concatenated they are one file, `lenticulum_check.py`, that runs on a plain Python 3.11 or later.
"""
