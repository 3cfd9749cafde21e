"""The three ways an exact computation can refuse to answer, and a package that it lacks."""


class MissingPackage(ImportError):
    """An optional package is not installed; the message says how to install it."""


class Undecided(ArithmeticError):
    """An enclosure is too wide to decide a comparison or a domain; more precision may decide it (see `decide`)."""


class DomainError(ArithmeticError):
    """The value does not exist: an argument lies outside the domain of the function."""


class InexactError(TypeError):
    """The value exists, but not in this number system: a transcendental of a system that is exact only."""
