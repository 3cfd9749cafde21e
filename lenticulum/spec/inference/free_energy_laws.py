"""Laws of the variational free energy: its three forms agree, and relative entropies add along a composite."""

from __future__ import annotations

from collections.abc import Callable

from lenticulum.spec.draw import Draw
from lenticulum.spec.inference.channel import observed_size, pushforward
from lenticulum.spec.inference.distribution import Distribution, uniform
from lenticulum.spec.inference.energy import (
    Energy,
    expectation,
    is_finite,
    negative_log,
    relative_entropy,
    shannon_entropy,
)
from lenticulum.spec.inference.free_energy import FORMS, from_energy_and_entropy, from_joint, from_posterior
from lenticulum.spec.inference.game import Entropies, accumulate, add, average
from lenticulum.spec.inference.generators import Support, channels, inverter, lens
from lenticulum.spec.inference.inversion import Posterior, flatten, invert
from lenticulum.spec.inference.lens import BayesianLens, compose
from lenticulum.spec.law import Grade, Law, require
from lenticulum.terms.inference import Channel

Form = Callable[[Channel, Distribution, Posterior, int], Energy]


def agree(forms: tuple[Form, ...], draw: Draw) -> None:
    """F3."""
    (model,), prior = channels(draw, 1)
    inversion = inverter(draw, model, draw.choice(tuple(Support)))(prior)
    for y, answer in enumerate(inversion):
        if answer is None:
            continue
        values = [form(model, prior, answer, y) for form in forms]
        draw.observe("every free energy is finite", all(is_finite(value) for value in values))
        witness = {"channel": model, "prior": prior, "y": y, "answer": answer, "values": values}
        require(all(value == values[0] for value in values), "the forms of the free energy differ", **witness)


def divergences(approximate: BayesianLens, prior: Distribution) -> Entropies:
    """KL(c'_pi(y) || c†_pi(y)) at each y that is answered."""
    return tuple(
        None if answer is None or posterior is None else relative_entropy(flatten(answer), flatten(posterior))
        for answer, posterior in zip(approximate.inverter(prior), invert(approximate.channel, prior), strict=True)
    )


ChainRule = Callable[[BayesianLens, BayesianLens, Distribution], Entropies]


def chain_rule(first: BayesianLens, second: BayesianLens, prior: Distribution) -> Entropies:
    """KL of the composite from its parts: E_{(y, b) ~ d'_{c_*pi}(z)}[KL_c(pi, y)] + KL_d(c_*pi, z)."""
    between = pushforward(first.channel, prior)
    return accumulate(divergences(first, prior), second.inverter(between), divergences(second, between))


def adds_along_composites(rule: ChainRule, draw: Draw) -> None:
    """F4."""
    chain, prior = channels(draw, 2)
    first, second = (lens(draw, link, Support.POSTERIOR) for link in chain)
    whole, parts = divergences(compose(first, second), prior), rule(first, second, prior)
    require(
        whole == parts,
        "the divergence of the composite is not the sum of its parts",
        prior=prior,
        whole=whole,
        parts=parts,
    )


def without_prior(model: Channel, prior: Distribution, answer: Posterior, y: int) -> Energy:
    """The mistake of an energy that misses -log pi(x)."""
    energies = [negative_log(row[y]) for block in model.table for row in block]
    return expectation(flatten(answer), energies) - shannon_entropy(flatten(answer))


def with_reversed_divergence(model: Channel, prior: Distribution, answer: Posterior, y: int) -> Energy:
    """The mistake of KL(posterior || answer) for KL(answer || posterior)."""
    posterior = invert(model, prior)[y]
    if posterior is None:
        return from_posterior(model, prior, answer, y)
    return relative_entropy(flatten(posterior), flatten(answer)) + negative_log(pushforward(model, prior)[y])


def chain_rule_forgetting_the_prior(first: BayesianLens, second: BayesianLens, prior: Distribution) -> Entropies:
    """The mistake of comparing the downstream answer at the uniform prior."""
    between = uniform(observed_size(first.channel))
    return accumulate(divergences(first, prior), second.inverter(between), divergences(second, between))


def chain_rule_averaging_forward(first: BayesianLens, second: BayesianLens, prior: Distribution) -> Entropies:
    """The mistake of averaging the upstream divergence under the forward law of y."""
    between = pushforward(first.channel, prior)
    forward = average(divergences(first, prior), tuple((mass,) for mass in between))
    return tuple(add(forward, own) for own in divergences(second, between))


LAWS = (
    Law(
        id="F3",
        statement="KL minus log evidence, E[log c' - log c - log pi] and energy minus entropy are equal",
        source="arXiv:2503.18608, Proposition 18",
        grade=Grade.EXACT,
        subject=FORMS,
        check=agree,
        planted={
            "prior forgotten": (from_posterior, from_joint, without_prior),
            "reversed divergence": (with_reversed_divergence, from_joint, from_energy_and_entropy),
        },
    ),
    Law(
        id="F4",
        statement="KL of a composite at (pi, z) = E_{(y, b) ~ d'_{c_*pi}(z)}[KL_c(pi, y)] + KL_d(c_*pi, z)",
        source="arXiv:2503.18608, the chain rule before Theorem 23",
        grade=Grade.EXACT,
        subject=chain_rule,
        check=adds_along_composites,
        planted={
            "prior forgotten": chain_rule_forgetting_the_prior,
            "averaged under the upstream law": chain_rule_averaging_forward,
        },
    ),
)
