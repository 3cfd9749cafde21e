"""Value types: what a declaration refuses, when a construction is guarded, and what stays as it was."""

import abc
import copy
import dataclasses
import functools
import typing
import weakref

import numpy as np
import pytest

from lenticulum.terms import Dense
from lenticulum.terms.sealing import field_key
from lenticulum.terms.term import Term
from lenticulum.terms.value import Value, replace, set_field, value


class Kind(Value):
    """An abstract base: methods only."""

    __slots__ = ()

    def order(self):
        return 0


@value
class Scale(Kind):
    factor: object = 1.0
    name: str = "scale"


@value
class Weighted(Value):
    weight: tuple

    def __post_init__(self):
        set_field(self, "weight", tuple(float(entry) for entry in self.weight))


def test_equality_and_hash_are_those_of_type_and_key():
    assert Scale(2.0) == Scale(2.0)
    assert hash(Scale(2.0)) == hash(Scale(2.0))
    assert Scale(2.0) != Scale(2)
    assert Scale(float("nan")) == Scale(float("nan"))
    assert (Scale(2.0) == Scale(np.zeros(2))) is False
    assert Scale.__eq__(Scale(2.0), 2.0) is NotImplemented


def test_the_decorator_adds_the_base():
    @value
    class Shift:
        """y = x + amount."""

        amount: int

        def doubled(self):
            return 2 * self.amount

    assert isinstance(Shift(1), Value)
    assert Shift(1) == Shift(1) != Shift(2)
    assert (Shift(2).doubled(), Shift.__doc__, repr(Shift(1)).endswith("Shift(amount=1)")) == (
        4,
        "y = x + amount.",
        True,
    )


def test_a_subclass_is_another_identity_with_the_fields_of_its_parent_first():
    @value
    class Child(Scale):
        extra: int = 0

    @value
    class Twin(Scale):
        pass

    assert Twin(2.0) != Scale(2.0)
    assert [field.name for field in dataclasses.fields(Child)] == ["factor", "name", "extra"]
    assert Child(2.0, extra=1) != Child(2.0, extra=2)
    assert Child(2.0).order() == 0


def test_a_field_may_be_brought_to_its_canonical_form():
    assert Weighted((1, 2)) == Weighted([1.0, 2.0]) == Weighted(np.array([1, 2]))
    assert Weighted([1, 2]).weight == (1.0, 2.0)


def test_set_field_knows_fields_only():
    @value
    class Careless(Value):
        order: int = 0

        def __post_init__(self):
            set_field(self, "scale", 2.0)

    with pytest.raises(AttributeError, match="no field 'scale'"):
        Careless()


def test_a_value_is_frozen_also_for_object_setattr_and_for_its_constructor():
    scale = Scale(2.0)
    for change in (
        lambda: setattr(scale, "factor", 3.0),
        lambda: setattr(scale, "unknown", 3.0),
        lambda: delattr(scale, "factor"),
        lambda: object.__setattr__(scale, "factor", 3.0),
        lambda: object.__delattr__(scale, "factor"),
        lambda: set_field(scale, "factor", 3.0),
        lambda: Scale.__init__(scale, 3.0),
    ):
        with pytest.raises(dataclasses.FrozenInstanceError, match="Scale is a value"):
            change()
    with pytest.raises(AttributeError):
        object.__setattr__(scale, "unknown", 3.0)
    with pytest.raises(TypeError, match="rebuilt through its constructor"):
        scale.__setstate__([3.0, "scale"])
    assert (scale.factor, scale) == (2.0, Scale(2.0))


def test_an_error_names_class_field_type_and_the_form_to_use():
    with pytest.raises(TypeError, match=r"Scale\.factor: a list is not plain data; use a tuple"):
        Scale([1.0])
    with pytest.raises(TypeError, match=r"Scale\.factor: the dtype .* has no exact name"):
        Scale(np.array([print]))


def test_an_attribute_that_is_no_field_cannot_be_stored_by_a_constructor():
    @value
    class Derived(Kind):
        order_of: int = 0

        def __init__(self, factor):
            set_field(self, "order_of", 0)
            object.__setattr__(self, "factor", factor)

    with pytest.raises(AttributeError, match="factor"):
        Derived(2.0)


def test_a_constructor_takes_fields_only_even_if_it_stores_the_rest_elsewhere():
    table = {}

    @value
    class Tabled(Value):
        def __init__(self, factor):
            table[id(self)] = factor

    with pytest.raises(TypeError, match="takes 'factor', which is not a field"):
        Tabled(2.0)


def test_a_constructor_that_forgets_a_field_is_refused():
    @value
    class Forgetful(Value):
        order: int

        def __init__(self):
            pass

    with pytest.raises(TypeError, match="order was not set by the constructor"):
        Forgetful()


def test_a_hand_written_constructor_of_the_fields_is_accepted():
    @value
    class Hand(Value):
        order: int

        def __init__(self, order=3):
            set_field(self, "order", order)

    assert Hand() == Hand(3) != Hand(4)
    assert replace(Hand(), order=4) == Hand(4)


def test_an_undeclared_subclass_is_refused_at_its_first_construction():
    class Undeclared(Scale):
        pass

    with pytest.raises(TypeError, match="not declared a value type"):
        Undeclared(2.0)
    with pytest.raises(TypeError, match="not declared a value type"):
        Kind()


def test_a_constructor_that_returns_something_else_is_refused():
    @value
    class Shared(Value):
        order: int = 0

        def __new__(cls, order=0):
            return Scale(2.0)

    with pytest.raises(TypeError, match="returned a Scale"):
        Shared(1)


@pytest.mark.parametrize(
    ("annotation", "default", "message"),
    [
        (int, dataclasses.field(default=0, compare=False), "compare=False"),
        (int, dataclasses.field(default=0, hash=False), "hash=False"),
        (int, dataclasses.field(default=0, init=False), "init=False"),
        (dataclasses.InitVar[int], 0, "InitVar"),
    ],
    ids=["compare", "hash", "init", "InitVar"],
)
def test_a_field_outside_the_identity_is_refused_at_declaration(annotation, default, message):
    with pytest.raises(TypeError, match=rf"Outside\.factor.*{message}"):
        value(type("Outside", (), {"__annotations__": {"factor": annotation}, "factor": default}))


@pytest.mark.parametrize("name", ["__eq__", "__hash__", "__ne__", "__copy__", "__deepcopy__", "__reduce__"])
def test_an_identity_of_its_own_is_refused_at_declaration(name):
    with pytest.raises(TypeError, match="its key alone"):
        value(type("Own", (), {name: lambda self, *rest: True, "__annotations__": {}}))


def test_a_cached_property_is_refused_at_declaration():
    class Cached:
        order: int = 1

        @functools.cached_property
        def factor(self):
            return 2.0

    with pytest.raises(TypeError, match="factor is a cached property"):
        value(Cached)


def test_a_base_with_hidden_attributes_is_refused_at_declaration():
    class Open(Value):
        pass

    class Slotted(Value):
        __slots__ = ("factor",)

    class Mixin:
        __slots__ = ()

    with pytest.raises(TypeError, match="whose instances have a __dict__"):
        value(type("Child", (Open,), {}))
    with pytest.raises(TypeError, match="slot 'factor', which is not a field"):
        value(type(Value)("Child", (Slotted,), {}))
    with pytest.raises(TypeError, match="base .*Mixin; derive that from Value"):
        value(type("Child", (Mixin,), {}))


def test_two_bases_with_fields_are_refused_by_name():
    with pytest.raises(TypeError, match="two bases with fields, Scale and Weighted"):
        type(Value)("Both", (Scale, Weighted), {})


def test_an_unannotated_attribute_is_no_parameter():
    @value
    class Fixed(Value):
        scale = 2.0

    with pytest.raises(TypeError, match="scale"):
        Fixed(scale=3.0)


def test_a_class_is_sealed_with_its_bases_at_its_first_construction_and_not_before():
    class Parent(Value):
        __slots__ = ()

        def factor(self):
            return 1

    @value
    class Child(Parent):
        order: int = 0

    Parent.factor = lambda self: 2
    Child.rate = 0.5
    assert Child().factor() == 2
    for cls in (Parent, Child):
        with pytest.raises(TypeError, match="is sealed since its first use"):
            cls.factor = lambda self: 3
    with pytest.raises(TypeError, match="is sealed since its first use"):
        del Child.rate
    with pytest.raises(TypeError, match="is sealed"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Child, "rate", 9.0)
    assert (Child().factor(), Child.rate) == (2, 0.5)


def test_sealed_does_not_mean_final():
    Scale(1.0)

    @value
    class Later(Scale):
        def order(self):
            return 7

    assert Later(1.0).order() == 7


def test_a_method_is_not_a_field_to_replace():
    assert replace(Scale(2.0), factor=3.0) == Scale(3.0)
    with pytest.raises(TypeError, match=r"no field 'order', only factor, name; a variant of a behaviour is a subclass"):
        replace(Scale(2.0), order=lambda self: 1)
    with pytest.raises(TypeError, match="order"):
        dataclasses.replace(Scale(2.0), order=lambda self: 1)


def test_copies_are_the_value_itself():
    scale = Scale((1, Weighted([2])))
    assert copy.copy(scale) is scale
    assert copy.deepcopy([scale])[0] is scale


@pytest.mark.parametrize("protocol", range(6))
def test_a_value_is_stored_as_class_and_fields_without_key_or_hash(protocol):
    scale = Scale((1, Weighted([2])))
    rebuild, (cls, fields) = scale.__reduce_ex__(protocol)
    assert (cls, dict(fields)) == (Scale, {"factor": scale.factor, "name": "scale"})
    assert rebuild(cls, fields) == scale


def test_an_array_is_an_immutable_copy():
    buffer = np.array([2.0, 1.0])
    scale = Scale(buffer)
    buffer[0] = 3.0
    assert scale.factor[0] == 2.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        scale.factor.setflags(write=True)
    with pytest.raises(ValueError, match="read-only"):
        scale.factor[0] = 3.0
    assert scale == Scale(np.array([2.0, 1.0]))
    assert field_key(scale) == scale.identity_key


@pytest.mark.parametrize("nest", [lambda array: array, lambda array: (1, (array,))], ids=["field", "in a tuple"])
@pytest.mark.filterwarnings("ignore:Setting the (shape|dtype):DeprecationWarning")
def test_the_shape_and_dtype_of_an_array_read_from_a_field_are_its_own(nest):
    def array_of(scale):
        return scale.factor if nest(0) == 0 else scale.factor[1][0]

    scale = Scale(nest(np.zeros((2, 3))))
    array_of(scale).shape = (3, 2)
    array_of(scale).dtype = np.int64
    assert (array_of(scale).shape, array_of(scale).dtype) == ((2, 3), np.dtype(np.float64))
    assert field_key(scale) == scale.identity_key


def test_empty_and_zero_dimensional_arrays_are_kept():
    assert Scale(np.zeros((0, 3))).factor.shape == (0, 3)
    assert Scale(np.array(2.0)).factor.shape == ()


def test_generic_and_abstract_bases_are_allowed():
    T = typing.TypeVar("T")

    @value
    class Box(Value, typing.Generic[T]):
        content: object

    class Shape(Value, abc.ABC):
        __slots__ = ()

        @abc.abstractmethod
        def area(self): ...

    @value
    class Square(Shape):
        side: int

        def area(self):
            return self.side**2

    @value
    class Unfinished(Shape):
        side: int

    assert Box[int](3) == Box(3)
    assert Square(3).area() == 9
    with pytest.raises(TypeError, match="abstract"):
        Unfinished(3)


def test_a_parent_field_may_be_declared_again_with_another_default():
    @value
    class Twice(Scale):
        factor: object = 2.0

    assert Twice() == Twice(2.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        object.__setattr__(Twice(), "factor", 3.0)


def test_a_value_can_be_referred_to_weakly():
    scale = Scale(2.0)
    assert weakref.ref(scale)() is scale


def test_a_class_that_an_import_hook_rewrote_is_sealed_all_the_same():
    # The suite imports lenticulum under jaxtyping's hook, which assigns `__init__` after the declaration.
    Dense(1, 2)
    with pytest.raises(TypeError, match="Dense is sealed since its first use"):
        Dense.__init__ = Dense.target
    with pytest.raises(TypeError, match="Term is sealed since its first use"):
        Term.target = Dense.target
