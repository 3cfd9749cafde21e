"""Laws of Bayesian lenses: composition against the enumeration of paths, associativity, tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from lenticulum.spec.draw import Draw, distribution
from lenticulum.spec.inference import channel as open_model
from lenticulum.spec.inference import enumeration
from lenticulum.spec.inference.channel import observed_size, pushforward, unobserved_size
from lenticulum.spec.inference.distribution import Distribution, marginals, product, uniform
from lenticulum.spec.inference.energy import ZERO, Energy, expectation, relative_entropy, shannon_entropy
from lenticulum.spec.inference.generators import SMALL_LATENTS, Support, channel, channels, inverter
from lenticulum.spec.inference.inversion import Inversion, compose_inversions, flatten, invert
from lenticulum.spec.inference.lens import BayesianLens, compose, exact, tensor, tensor_inversions
from lenticulum.spec.law import Grade, Law, require

Combine = Callable[[BayesianLens, BayesianLens], BayesianLens]


def chain_of_lenses(draw: Draw, length: int) -> tuple[tuple[BayesianLens, ...], Distribution]:
    """A chain of lenses whose answers depend on the prior, all of one support, and a prior for its start."""
    chain, prior = channels(draw, length)
    support = draw.choice(tuple(Support))
    return tuple(BayesianLens(link, inverter(draw, link, support)) for link in chain), prior


def answers_along_paths(compose: Combine, draw: Draw) -> None:
    """Definition 12."""
    (first, second), prior = chain_of_lenses(draw, 2)
    inversion = compose(first, second).inverter(prior)
    for z, (posterior, expected) in enumerate(zip(inversion, enumeration.answers([first, second], prior), strict=True)):
        found = None if posterior is None else flatten(posterior)
        require(
            found == expected,
            "the composite is not the product of the answers along each path",
            channels=(first.channel, second.channel),
            prior=prior,
            z=z,
            composite=found,
            paths=expected,
        )


def keeps_the_downstream_answer(compose: Combine, draw: Draw) -> None:
    """B17."""
    (first, second), prior = chain_of_lenses(draw, 2)
    inversion = compose(first, second).inverter(prior)
    downstream = second.inverter(enumeration.evidence([first.channel], prior))
    for z, (posterior, row) in enumerate(zip(inversion, downstream, strict=True)):
        if posterior is not None and row is not None:
            points = len(row) * len(row[0])
            summed = tuple(
                sum(
                    (masses[start + place] for masses in posterior for start in range(0, len(masses), points)),
                    Fraction(0),
                )
                for place in range(points)
            )
            require(
                summed == flatten(row),
                "the (y, b)-marginal of the composite is not the downstream answer",
                prior=prior,
                z=z,
            )


def is_associative(compose: Combine, draw: Draw) -> None:
    """B9."""
    (first, second, third), prior = chain_of_lenses(draw, 3)
    left, right = compose(compose(first, second), third), compose(first, compose(second, third))
    require(left.channel == right.channel, "open models compose differently from the left", prior=prior)
    require(left.inverter(prior) == right.inverter(prior), "inversions compose differently from the left", prior=prior)


def pair_of_exact_lenses(draw: Draw) -> tuple[BayesianLens, BayesianLens]:
    """Two exact lenses to be put side by side."""
    sizes = [draw.integer(1, 3) for _ in range(4)]
    first = channel(draw, sizes[0], sizes[1], SMALL_LATENTS)
    second = channel(draw, sizes[2], sizes[3], SMALL_LATENTS)
    return exact(first), exact(second)


def is_strict_on_product_priors(tensor: Combine, draw: Draw) -> None:
    """B10."""
    first, second = pair_of_exact_lenses(draw)
    prior = product(
        distribution(draw, unobserved_size(first.channel)), distribution(draw, unobserved_size(second.channel))
    )
    found = tensor(first, second).inverter(prior)
    expected = invert(open_model.tensor(first.channel, second.channel), prior)
    require(
        found == expected,
        "the tensor of exact inversions is not the inversion of the tensor",
        channels=(first.channel, second.channel),
        prior=prior,
        tensor=found,
        exact=expected,
    )


def mutual_information(joint: Distribution, first_size: int, second_size: int) -> Energy:
    """I(X; W) of a joint distribution in row-major order."""
    first, second = marginals(joint, first_size, second_size)
    return shannon_entropy(first) + shannon_entropy(second) - shannon_entropy(joint)


def loses_mutual_information(tensor: Combine, draw: Draw) -> None:
    """B11."""
    first, second = pair_of_exact_lenses(draw)
    unobserved = unobserved_size(first.channel), unobserved_size(second.channel)
    observed = observed_size(first.channel), observed_size(second.channel)
    prior = distribution(draw, unobserved[0] * unobserved[1])
    both = open_model.tensor(first.channel, second.channel)
    evidence = pushforward(both, prior)
    gaps = [
        ZERO if exactly is None or apart is None else relative_entropy(flatten(exactly), flatten(apart))
        for exactly, apart in zip(invert(both, prior), tensor(first, second).inverter(prior), strict=True)
    ]
    defect = expectation(evidence, gaps)
    loss = mutual_information(prior, *unobserved) - mutual_information(evidence, *observed)
    draw.observe("the tensor defect is zero", loss == ZERO)
    witness = {"channels": (first.channel, second.channel), "prior": prior, "defect": defect, "loss": loss}
    require(defect == loss, "the tensor defect is not the loss of mutual information", **witness)
    require(bool(loss >= ZERO), "mutual information grew through the channels", **witness)


def at_the_wrong_prior(first: BayesianLens, second: BayesianLens) -> BayesianLens:
    """The mistake d'_pi for d'_{c_*pi}, wherever the sizes agree."""

    def inverter(prior: Distribution) -> Inversion:
        pushed = pushforward(first.channel, prior)
        return compose_inversions(
            first.inverter(prior), second.inverter(prior if len(prior) == len(pushed) else pushed)
        )

    return replace(compose(first, second), inverter=inverter)


def forgetting_the_prior(first: BayesianLens, second: BayesianLens) -> BayesianLens:
    """The mistake of asking the downstream lens at the uniform prior."""

    def inverter(prior: Distribution) -> Inversion:
        return compose_inversions(first.inverter(prior), second.inverter(uniform(observed_size(first.channel))))

    return replace(compose(first, second), inverter=inverter)


def after_one_more_step(first: BayesianLens, second: BayesianLens) -> BayesianLens:
    """The mistake of answering upstream at the pushed prior, wherever the sizes agree."""

    def inverter(prior: Distribution) -> Inversion:
        pushed = pushforward(first.channel, prior)
        return compose_inversions(
            first.inverter(pushed if len(prior) == len(pushed) else prior), second.inverter(pushed)
        )

    return replace(compose(first, second), inverter=inverter)


def tensor_forgetting_the_prior(first: BayesianLens, second: BayesianLens) -> BayesianLens:
    """The mistake of giving the second lens a uniform prior."""

    def inverter(prior: Distribution) -> Inversion:
        sizes = unobserved_size(first.channel), unobserved_size(second.channel)
        return tensor_inversions(first.inverter(marginals(prior, *sizes)[0]), second.inverter(uniform(sizes[1])))

    return replace(tensor(first, second), inverter=inverter)


def tensor_inverted_jointly(first: BayesianLens, second: BayesianLens) -> BayesianLens:
    """The mistake of calling the joint inversion a tensor: it reads more than the marginals of the prior."""
    return exact(open_model.tensor(first.channel, second.channel))


def tensor_in_swapped_order(first: BayesianLens, second: BayesianLens) -> BayesianLens:
    """The mistake of listing the joint observations with the first one fastest."""
    rows, columns = observed_size(first.channel), observed_size(second.channel)
    right = tensor(first, second)

    def inverter(prior: Distribution) -> Inversion:
        inversion = right.inverter(prior)
        return tuple(inversion[y * columns + z] for z in range(columns) for y in range(rows))

    return replace(right, inverter=inverter)


LAWS = (
    Law(
        id="B9",
        statement="lens composition is associative; strictly, as latent values are filed in row-major order",
        source="arXiv:2503.18608, Definition 12",
        grade=Grade.EXACT,
        subject=compose,
        check=is_associative,
        planted={"upstream answered at the pushed prior": after_one_more_step},
    ),
    Law(
        id="D12",
        statement="the composite answer is the product of the answers along each path, each at its own prior",
        source="arXiv:2503.18608, Definition 12",
        grade=Grade.EXACT,
        subject=compose,
        check=answers_along_paths,
        planted={
            "inversion at the wrong prior": at_the_wrong_prior,
            "prior forgotten": forgetting_the_prior,
            "upstream answered at the pushed prior": after_one_more_step,
        },
    ),
    Law(
        id="B17",
        statement="the (y, b)-marginal of a composite answer is d'_{c_*pi}(z), exact or not",
        source="arXiv:2503.18608, Definition 12",
        grade=Grade.EXACT,
        subject=compose,
        check=keeps_the_downstream_answer,
        planted={"inversion at the wrong prior": at_the_wrong_prior, "prior forgotten": forgetting_the_prior},
    ),
    Law(
        id="B10",
        statement="(c⊗d)†_{pi⊗rho} = c†_pi ⊗ d†_rho",
        source="arXiv:2503.18608, Definition 15",
        grade=Grade.EXACT,
        subject=tensor,
        check=is_strict_on_product_priors,
        planted={
            "prior forgotten": tensor_forgetting_the_prior,
            "observations in swapped order": tensor_in_swapped_order,
        },
    ),
    Law(
        id="B11",
        statement="E KL((c⊗d)†_omega || c†_{omega_X} ⊗ d†_{omega_W}) = I(X; W) - I(Y; Z) >= 0",
        source="arXiv:2503.18608, Definition 15 and Remark 26; the defect is the loss of mutual information",
        grade=Grade.EXACT,
        subject=tensor,
        check=loses_mutual_information,
        planted={"inverted jointly": tensor_inverted_jointly, "prior forgotten": tensor_forgetting_the_prior},
    ),
)
