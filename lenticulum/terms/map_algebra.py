"""Parameter maps made of parameter maps: the identity, one after the other, and side by side."""

from lenticulum.terms.exact import instance_of
from lenticulum.terms.reparametrisations import ParameterMap
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import value


@value
class IdentityMap(ParameterMap):
    """r(q) = q. 1* f = f."""

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes as they are."""
        return shapes


@value
class ComposedMap(ParameterMap):
    """First the first map, then the next: (s;r)(t) = r(s(t)). (s;r)* f = s*(r* f).

    New parameters enter the first map, and the last one gives those of the term. Trees are named as for nested
    reparametrisations. No maps composed are the identity.
    """

    maps: tuple[ParameterMap, ...]

    def __post_init__(self) -> None:
        """Refuse what is not a map."""
        for part in self.maps:
            instance_of(part, "ComposedMap: map", (ParameterMap,), "a parameter map such as Tie or LowRank")

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes of what enters the first map."""
        for part in reversed(self.maps):
            shapes = part.parameter_shapes(shapes)
        return shapes

    def state_shapes(self, parameters: Tree, states: Tree) -> Tree:
        """Return the state with what every map adds, the last map's innermost."""
        for part in reversed(self.maps):
            parameters, states = part.parameter_shapes(parameters), part.state_shapes(parameters, states)
        return states

    def targets(self, shapes: Tree) -> list[Tree]:
        """Return the shapes that each map gives, in order: the last gives those of the term."""
        given: list[Tree] = []
        for part in reversed(self.maps):
            given.append(shapes)
            shapes = part.parameter_shapes(shapes)
        return given[::-1]


@value
class PartwiseMap(ParameterMap):
    """One map for each named part: s x r. (r* f);(s* g) = (s x r)*(f;g), where the maps go to the parts by name.

    Parts that are not named keep their parameters.
    """

    names: tuple[str, ...]
    maps: tuple[ParameterMap, ...]

    def __post_init__(self) -> None:
        """Refuse what is not a map, and names that are not one for each map."""
        for part in self.maps:
            instance_of(part, "PartwiseMap: map", (ParameterMap,), "a parameter map such as Tie or LowRank")
        if len(self.names) != len(self.maps) or len(set(self.names)) != len(self.names):
            raise ValueError(f"PartwiseMap: {len(self.maps)} maps need as many different names, got {self.names}")

    def parts(self) -> dict[str, ParameterMap]:
        """Return the map of each named part."""
        return dict(zip(self.names, self.maps, strict=True))

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes with those of each named part mapped."""
        changed = {name: part.parameter_shapes(shapes.at((name,))) for name, part in self.parts().items()}
        return shapes.with_entries(**changed)

    def state_shapes(self, parameters: Tree, states: Tree) -> Tree:
        """Return the states with what each map adds to that of its part."""
        changed = {
            name: part.state_shapes(parameters.at((name,)), states.at((name,))) for name, part in self.parts().items()
        }
        return states.with_entries(**changed)
