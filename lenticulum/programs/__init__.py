"""Reads a JAX program (a jaxpr) with the numbers: the exact meaning of code that nobody here wrote."""

from lenticulum.programs.interpreter import Interpreter as Interpreter
from lenticulum.programs.left_out import LEFT_OUT as LEFT_OUT
from lenticulum.programs.program import Program as Program
from lenticulum.programs.program import trace as trace
from lenticulum.programs.rule import RULES as RULES
from lenticulum.programs.rule import UnknownPrimitive as UnknownPrimitive
from lenticulum.programs.systems import Balls as Balls
from lenticulum.programs.systems import Bounds as Bounds
from lenticulum.programs.systems import Bounds64 as Bounds64
from lenticulum.programs.systems import Intervals as Intervals
from lenticulum.programs.systems import System as System
