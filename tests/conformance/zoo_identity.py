"""Reported bugs of compiled programs, parameter trees and keys: what the arguments of each are, and the law.

An adapter names roles only. Which settings a program is run with, which names share a location, in which order a state
is restored: all of it comes from the generator of the law.
"""

from __future__ import annotations

from fractions import Fraction

from zoo_programs import ProgramAdapter, of_catalogue

from lenticulum.check.alias_law import ALIASES, distinct
from lenticulum.check.argument_cases import Argument
from lenticulum.check.history_law import HISTORY
from lenticulum.check.key_law import KEYS
from lenticulum.check.meaning_law import Claim
from lenticulum.check.name_law import NAMES

TIME = ("time",)

IDENTITY = "the program of each setting, compiled for it alone"

ADAPTERS: dict[str, ProgramAdapter] = {
    "D01": ProgramAdapter(
        IDENTITY, ("identity",), {"vals": Argument("setting", TIME), "y": Argument("value")}, (HISTORY,)
    ),
    "D03": ProgramAdapter(
        IDENTITY, ("identity",), {"scales": Argument("setting", TIME), "x": Argument("weight")}, (HISTORY,)
    ),
    "D05": ProgramAdapter(
        IDENTITY, ("identity",), {"flags": Argument("flag", TIME), "u": Argument("probability")}, (HISTORY,)
    ),
    "D07": ProgramAdapter(
        IDENTITY, ("identity",), {"adds": Argument("setting", TIME), "xs": Argument("value", ("entry",))}, (HISTORY,)
    ),
    "G01": ProgramAdapter(
        "squared_loss with the factor 1 / n",
        ("formula",),
        {"pred": Argument("value", ("entry", "1")), "y": Argument("value", ("entry",))},
        (
            of_catalogue(
                Claim(
                    "squared_loss",
                    lambda pred, y: {"prediction": pred[:, 0], "label": y, "factor": Fraction(1, len(y))},
                )
            ),
        ),
    ),
    "G03": ProgramAdapter(
        "the norm of the gradient of each location, once",
        ("formula",),
        {"grads": Argument("gradient", ("use", "entry"), ("owner",)), "owner": Argument("owner", ("use",))},
        (of_catalogue(Claim("norm", lambda grads, owner: {"x": distinct(grads, owner)})),),
    ),
    "G06": ProgramAdapter(
        "a key is used once",
        ("state",),
        {"seed": Argument("seed"), "batch": Argument("small count"), "n": Argument("small count")},
        (KEYS,),
    ),
    "G09": ProgramAdapter(
        "a state follows its name",
        ("state",),
        {"saved": Argument("states"), "new_order": Argument("new order", (), ("saved",))},
        (NAMES,),
    ),
    "G12": ProgramAdapter(
        "a count over locations",
        ("formula",),
        {"sizes": Argument("sizes"), "alias": Argument("aliases", (), ("sizes",))},
        (ALIASES,),
    ),
}
