"""The call is wrong: what was given, what was expected, what to do. Never a verdict on the subject."""


class CallError(ValueError):
    """A target, definition, role or argument that cannot be used as given; the message has one to three lines."""
