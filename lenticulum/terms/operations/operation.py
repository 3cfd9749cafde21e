"""Operation: the base of descriptions of functions of one or more named arrays."""

from lenticulum.terms.value import Value


class Operation(Value):
    """A pure function of named arrays, some of which may hold integers or booleans; its fields are its conventions.

    The names and the order of the arrays, its roles, stand in its row of the catalogue. An array that is optional is
    None where it is absent.
    """

    __slots__ = ()
