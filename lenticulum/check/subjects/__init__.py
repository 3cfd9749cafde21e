"""Adapters: which argument of a subject plays which role, and nothing else."""

from lenticulum.check.subjects.adapt import adapt as adapt
from lenticulum.check.subjects.subject import Raised as Raised
from lenticulum.check.subjects.subject import Subject as Subject
