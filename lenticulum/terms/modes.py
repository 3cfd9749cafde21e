"""The mode: an argument of every application, never a hidden flag."""

import enum


class Mode(enum.Enum):
    """Whether a layer trains or is evaluated.

    >>> Mode("train") is Mode.TRAIN
    True
    """

    TRAIN = "train"
    EVAL = "eval"
