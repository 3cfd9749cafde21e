"""A function that JAX cannot trace, as a subject: on NumPy arrays, torch tensors or, elementwise, NumPy scalars."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import jax
import numpy as np

from lenticulum.check.cases import cases
from lenticulum.check.definition import Definition
from lenticulum.check.draw import SeededDraw
from lenticulum.check.environment import Environment, probe_host
from lenticulum.check.subjects.function import FunctionSubject
from lenticulum.check.subjects.subject import Inputs, Mutates, Numbers, Raised, WrongType, floats
from lenticulum.check.subjects.windows import alike
from lenticulum.check.target import Source
from lenticulum.check.text import number

#: Arguments of a probe call: two entries, so that a function of scalars shows itself, inside most domains.
PROBES = ((0.5, 0.75), (1.5, 2.0))


@dataclass(frozen=True)
class Library:
    """How arrays are passed: `array` makes one of a NumPy array, `back` returns one to NumPy.

    `each`: the function takes scalars only, and is called once for each entry. `text` writes an argument; `word`
    returns a setting of a definition as the library has it.
    """

    name: str
    array: Callable[[np.ndarray], Any]
    back: Callable[[Any], np.ndarray]
    text: Callable[[np.ndarray], str]
    each: bool = False
    word: Callable[[str, Any], Any] = lambda role, value: value


class HostSubject(FunctionSubject):
    """A function called on the arrays or scalars of a library of the host."""

    modes = (False,)

    def __init__(
        self,
        function: Callable[..., Any],
        source: Source,
        definition: Definition,
        roles: Mapping[str, str],
        bind: Mapping[str, Any],
        output: str,
        library: Library,
    ) -> None:
        super().__init__(function, source, definition, roles, bind, output)
        self.library = library

    def environment(self, dtype: str) -> Environment:
        """Return what the library does with subnormal numbers."""
        return probe_host(dtype, self.library.array)

    def call(self, inputs: Inputs, numbers: Numbers, *, compiled: bool) -> dict[str, Any]:
        """Call the function: once on arrays, or once for each entry."""
        del compiled
        try:
            return self._named(called(self, self.library, inputs, numbers))
        except (WrongType, Raised):
            raise
        except Exception as error:
            raise Raised(error) from error

    def snippet(self, inputs: Inputs, numbers: Numbers, output: str, *, compiled: bool) -> list[str]:
        """Return the program of one call."""
        del compiled
        constants = [f"{name}={value!r}" for name, value in _named(self, self.library, inputs, floats(numbers)).items()]
        arrays = {name: inputs[role] for name, role in self.order.items() if role in inputs}
        imports = [*self.source.imports, "import numpy as np"]
        imports += ["import ml_dtypes"] if any(array.dtype.name == "bfloat16" for array in arrays.values()) else []
        imports += ["import torch"] if self.library.name == "torch" else []
        if self.library.each:
            calls = [
                self._written({name: array.ravel()[place] for name, array in arrays.items()}, constants)
                for place in range(next(iter(arrays.values())).size)
            ]
            return [*imports, f"got = np.array([{', '.join(calls)}])"]
        return [*imports, f"got = {self._written(arrays, constants)}{self.pick(output)}"]

    def _written(self, arrays: Mapping[str, Any], constants: list[str]) -> str:
        texts = {name: self.library.text(array) for name, array in arrays.items()}
        passed, texts = self.split(texts)
        keywords = [f"{name}={text}" for name, text in texts.items()]
        return f"{self.source.expression}({', '.join([*passed, *keywords, *constants])})"


def called(subject: FunctionSubject, library: Library, inputs: Inputs, numbers: Numbers) -> Any:
    """Return the result of a function on the arrays of a library: a NumPy array, or a tuple of them."""
    arrays = {name: inputs[role] for name, role in subject.order.items() if role in inputs}
    constants = _named(subject, library, inputs, floats(numbers))
    # Whatever it warns of, its values are judged.
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not library.each:
            given = {name: library.array(array.copy()) for name, array in arrays.items()}
            result = _passed(subject, given, constants)
            _refuse_changes(subject, arrays, given)
            return tuple(map(library.back, result)) if isinstance(result, tuple) else library.back(result)
        shape = np.shape(next(iter(arrays.values())))
        rows = zip(*(np.ravel(array) for array in arrays.values()), strict=True)
        results = [_one(subject, dict(zip(arrays, row, strict=True)), constants) for row in rows]
    found = [np.asarray(result) for result in results]
    if {(each.shape, each.dtype) for each in found} != {((), found[0].dtype)}:
        kinds = ", ".join(sorted({f"{each.dtype}{list(each.shape)}" for each in found}))
        raise WrongType(f"returns {kinds} for scalars; expected one dtype, and no axes")
    return np.stack(found).reshape(shape)


def _refuse_changes(subject: FunctionSubject, arrays: Inputs, given: Mapping[str, Any]) -> None:
    """Raise Mutates if a call has changed a NumPy array; running averages are there to be changed (torch)."""
    for name, array in given.items():
        if isinstance(array, np.ndarray) and not subject.order[name].startswith("running"):
            if array.tobytes() != arrays[name].tobytes():
                raise Mutates(f"the argument {name} is changed by the call")


def _one(subject: FunctionSubject, scalars: Mapping[str, Any], constants: Mapping[str, Any]) -> Any:
    try:
        return _passed(subject, scalars, constants)
    except Exception as error:
        raise Raised(error, {subject.order[name]: np.array([scalar]) for name, scalar in scalars.items()}) from error


def _named(subject: FunctionSubject, library: Library, inputs: Inputs, numbers: Mapping[str, float]) -> dict[str, Any]:
    """Return the arguments that are no arrays."""
    taken = {name: numbers[role] for name, role in subject.order.items() if role in numbers and role not in inputs}
    settings = {name: role for name, role in subject.order.items() if role in subject.settings}
    words = {name: library.word(role, subject.settings[role]) for name, role in settings.items()}
    return {**taken, **subject.constants(inputs), **words}


def _passed(subject: FunctionSubject, arrays: Mapping[str, Any], constants: Mapping[str, Any]) -> Any:
    positional, named = subject.split(arrays)
    return subject.function(*positional, **named, **constants)


def probes(subject: FunctionSubject, definition: Definition, dtype: str) -> list[dict[str, Any]]:
    """Return arguments for calls that show what a function takes: those of the first drawn case, or two points."""
    if definition.entry.kind == "elementwise":
        return [{role: np.array(values).astype(dtype) for role in subject.arrays} for values in PROBES]
    drawn = cases(definition, SeededDraw(0), {}, subject.absent, {}, np.dtype(dtype))
    return [dict(case.arrays) for case in drawn if set(subject.required) <= set(case.arrays)][:1]


def traceable(subject: FunctionSubject, probe: Inputs) -> bool:
    """Return whether JAX can trace a function of arrays."""
    roles = [role for role in subject.order.values() if role in probe]

    def function(*traced: Any) -> Any:
        by_role = dict(zip(roles, traced, strict=True))
        named = {name: by_role[role] for name, role in subject.order.items() if role in by_role}
        return _passed(subject, named, _named(subject, ARRAYS, by_role, dict.fromkeys(subject.numbers, 0.5)))

    try:
        jax.eval_shape(function, *(jax.ShapeDtypeStruct(probe[role].shape, probe[role].dtype) for role in roles))
    except Exception:
        return False
    return True


def host_library(subject: FunctionSubject, definition: Definition, given: list[dict[str, Any]]) -> Library | None:
    """Return the library whose arrays, or else scalars, a function takes, by calling it; None if it takes none."""
    numbers = {name: Fraction(1, 2) for name in subject.numbers}
    elementwise = definition.entry.kind == "elementwise"
    for library in (*([TORCH] if "torch" in sys.modules else []), ARRAYS, *([SCALARS] if elementwise else [])):
        for inputs in given:
            try:
                y = called(subject, library, inputs, numbers)
            except Mutates:
                return library
            except Exception:  # it takes no such arguments, or not these values
                continue
            if isinstance(y, np.ndarray) and (y.shape == (2,) or not elementwise):
                return library
    return None


def _numpy_text(array: Any) -> str:
    array = np.asarray(array)
    text = str([number(each) for each in array.ravel()] if array.ndim else number(array[()])).replace("jnp.", "np.")
    text = text.replace("'", "")
    if array.ndim > 1:
        return f"np.array({text}, {_dtype_text(array)}).reshape({array.shape})"
    return f"np.array({text}, {_dtype_text(array)})" if array.ndim else f"np.dtype({_dtype_text(array)}).type({text})"


def _dtype_text(array: np.ndarray) -> str:
    return repr(array.dtype.name)


def _numpy_array(result: Any) -> np.ndarray:
    # NumPy returns a scalar for an array without axes.
    if not isinstance(result, np.ndarray | np.generic):
        raise WrongType(f"returns a {type(result).__name__}; expected a NumPy array")
    return np.asarray(result)


ARRAYS = Library("numpy", lambda array: array, _numpy_array, _numpy_text)
SCALARS = Library("numpy", lambda array: array, _numpy_array, _numpy_text, each=True)


def _to_torch(array: np.ndarray) -> Any:
    import torch  # pyright: ignore[reportMissingImports]

    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    # Torch takes numbers of classes and of rows in 64 bits.
    return torch.from_numpy(array.astype(np.int64) if array.dtype.kind in "iu" else array.copy())


def _from_torch(result: Any) -> np.ndarray:
    import torch  # pyright: ignore[reportMissingImports]

    if not isinstance(result, torch.Tensor):
        raise WrongType(f"returns a {type(result).__name__}; expected a tensor")
    result = result.detach()
    if result.dtype == torch.bfloat16:
        return result.view(torch.int16).numpy().view(np.dtype("bfloat16"))
    return result.numpy()


def _torch_text(array: np.ndarray) -> str:
    text = str([number(each) for each in array.ravel()]).replace("'", "").replace("jnp.", "torch.")
    dtype = "int64" if array.dtype.kind in "iu" else array.dtype.name
    return f"torch.tensor({text}, dtype=torch.{dtype}).reshape({tuple(array.shape)})"


def _torch_word(role: str, value: Any) -> Any:
    if role == "padding":
        return alike(value, "torch")
    if role == "divisor":
        return value == "window"
    return {"batch_mean": "batchmean", "weighted_mean": "mean"}.get(value, value) if role == "reduction" else value


TORCH = Library("torch", _to_torch, _from_torch, _torch_text, word=_torch_word)
