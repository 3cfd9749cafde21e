"""Laws of Bayesian inversion, checked against the enumeration of every path."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lenticulum.spec.draw import Draw, distribution
from lenticulum.spec.inference import enumeration
from lenticulum.spec.inference.channel import latent_size, observed_size, pure, pushforward, unobserved_size
from lenticulum.spec.inference.distribution import Distribution, dirac, uniform
from lenticulum.spec.inference.generators import channels
from lenticulum.spec.inference.inversion import Inversion, Posterior, invert, marginal
from lenticulum.spec.law import Grade, Law, require
from lenticulum.terms.inference import Channel

Invert = Callable[[Channel, Distribution], Inversion]


def disintegrates(invert: Invert, draw: Draw) -> None:
    """B1."""
    (model,), prior = channels(draw, 1)
    evidence, inversion = enumeration.evidence([model], prior), invert(model, prior)
    for y, (mass, posterior) in enumerate(zip(evidence, inversion, strict=True)):
        witness = {"channel": model, "prior": prior, "y": y, "answer": posterior}
        require((posterior is None) == (mass == 0), "None is due exactly on null observations", p=mass, **witness)
        if posterior is not None:
            joint = tuple(tuple(own * row[y] for row in block) for own, block in zip(prior, model.table, strict=True))
            answered = tuple(tuple(mass * entry for entry in row) for row in posterior)
            require(joint == answered, "evidence times posterior is not the joint", joint=joint, **witness)


def gives_null_observations_no_mass(invert: Invert, draw: Draw) -> None:
    """B4."""
    (first, second), prior = channels(draw, 2)
    between = pushforward(first, prior)
    evidence = enumeration.evidence([first, second], prior)
    for z, (mass, posterior) in enumerate(zip(evidence, invert(second, between), strict=True)):
        witness = {"channel": second, "prior": between, "z": z, "answer": posterior}
        if mass > 0:
            require(posterior is not None, "an observation with positive evidence is not answered", **witness)
        if mass > 0 and posterior is not None:
            null = sum(
                (own for own, reached in zip(marginal(posterior), between, strict=True) if reached == 0), Fraction(0)
            )
            require(null == 0, "a null observation has mass", mass=null, **witness)


def averages_to_the_prior(invert: Invert, draw: Draw) -> None:
    """B5."""
    (model,), prior = channels(draw, 1)
    evidence, inversion = enumeration.evidence([model], prior), invert(model, prior)
    averaged = [Fraction(0)] * len(prior)
    for mass, posterior in zip(evidence, inversion, strict=True):
        if mass > 0 and posterior is not None:
            averaged = [total + mass * own for total, own in zip(averaged, marginal(posterior), strict=True)]
    require(tuple(averaged) == prior, "the averaged posterior is not the prior", averaged=averaged, prior=prior)


def is_an_involution(invert: Invert, draw: Draw) -> None:
    """B7."""
    (model,), prior = channels(draw, 1)
    evidence = enumeration.evidence([model], prior)
    support = [y for y, mass in enumerate(evidence) if mass > 0]
    inversion = invert(model, prior)
    answered = [posterior for y in support if (posterior := inversion[y]) is not None]
    witness = {"channel": model, "prior": prior, "inversion": inversion}
    require(len(answered) == len(support), "an observation with positive evidence is not answered", **witness)
    # The inversion as an open model from the observations that occur to X, with the same latent space.
    backward = Channel(table=tuple(tuple(zip(*posterior, strict=True)) for posterior in answered), latent=model.latent)
    again = invert(backward, tuple(evidence[y] for y in support))
    for x, (own, block) in enumerate(zip(prior, model.table, strict=True)):
        expected = tuple(tuple(row[y] for row in block) for y in support) if own > 0 else None
        require(again[x] == expected, "inverting twice does not give the channel back", x=x, twice=again[x], **witness)


def keeps_a_certain_cause(invert: Invert, draw: Draw) -> None:
    """B13."""
    (model,), _ = channels(draw, 1)
    cause = draw.integer(0, unobserved_size(model) - 1)
    inversion = invert(model, dirac(unobserved_size(model), cause))
    for y in range(observed_size(model)):
        likelihoods = [row[y] for row in model.table[cause]]
        if sum(likelihoods) > 0:
            expected = tuple(
                tuple(likelihood * (x == cause) / sum(likelihoods) for likelihood in likelihoods)
                for x in range(unobserved_size(model))
            )
            require(
                inversion[y] == expected,
                "a certain cause is doubted",
                channel=model,
                cause=cause,
                y=y,
                answer=inversion[y],
            )


def inverts_bijections(invert: Invert, draw: Draw) -> None:
    """B14; B8 is its case of the identity."""
    size = draw.integer(1, 3)
    free = list(range(size))
    image = [free.pop(draw.integer(0, len(free) - 1)) for _ in range(size)]
    prior = distribution(draw, size)
    inversion = invert(pure([dirac(size, y) for y in image]), prior)
    for x, y in enumerate(image):
        expected = tuple((mass,) for mass in dirac(size, x)) if prior[x] > 0 else None
        require(
            inversion[y] == expected, "a bijection is not inverted", image=image, prior=prior, y=y, answer=inversion[y]
        )


def without_prior(model: Channel, prior: Distribution) -> Inversion:
    """The mistake of normalising the likelihood alone."""
    return invert(model, uniform(len(prior)))


def with_floor(model: Channel, prior: Distribution) -> Inversion:
    """The mistake of a floor of 1/1000 on probabilities: a different model, on the support as well."""
    floored = [mass + Fraction(1, 1000) for mass in prior]
    return invert(model, tuple(mass / sum(floored) for mass in floored))


def with_filler(model: Channel, prior: Distribution) -> Inversion:
    """The mistake of a uniform row on null observations."""
    points = unobserved_size(model) * latent_size(model)
    filler: Posterior = ((Fraction(1, points),) * latent_size(model),) * unobserved_size(model)
    return tuple(filler if posterior is None else posterior for posterior in invert(model, prior))


def without_evidence(model: Channel, prior: Distribution) -> Inversion:
    """The mistake of leaving the joint unnormalised."""
    return tuple(
        None
        if mass == 0
        else tuple(tuple(own * row[y] for row in block) for own, block in zip(prior, model.table, strict=True))
        for y, mass in enumerate(pushforward(model, prior))
    )


def along_the_channel(model: Channel, prior: Distribution) -> Inversion:
    """The mistake of reading the table of a square channel in its forward direction."""
    return tuple(
        None if mass == 0 else tuple((block[0][y],) for y in range(observed_size(model)))
        for mass, block in zip(prior, model.table, strict=True)
    )


LAWS = (
    Law(
        id="B1",
        statement="pi(x) c(a, y | x) = (c_*pi)(y) c†_pi(x, a | y) for all x, a, y; c†_pi(y) is None iff (c_*pi)(y) = 0",
        source="arXiv:2503.18608, Definition 10; arXiv:1709.00322, section 3",
        grade=Grade.EXACT,
        subject=invert,
        check=disintegrates,
        planted={
            "prior forgotten": without_prior,
            "floor on probabilities": with_floor,
            "uniform row on null observations": with_filler,
            "evidence forgotten": without_evidence,
        },
    ),
    Law(
        id="B4",
        statement="p(z) > 0 and (c_*pi)(y) = 0 imply d†_{c_*pi}(y | z) = 0",
        source="a consequence of B1",
        grade=Grade.EXACT,
        subject=invert,
        check=gives_null_observations_no_mass,
        planted={"prior forgotten": without_prior, "floor on probabilities": with_floor},
    ),
    Law(
        id="B5",
        statement="sum over y of (c_*pi)(y) c†_pi(x | y) = pi(x)",
        source="averaged GetPut: B1 summed over a and y",
        grade=Grade.EXACT,
        subject=invert,
        check=averages_to_the_prior,
        planted={"prior forgotten": without_prior, "evidence forgotten": without_evidence},
    ),
    Law(
        id="B7",
        statement="inverting c†_pi at c_*pi gives c back, latent included, for every x with pi(x) > 0",
        source="arXiv:1908.07021, Remark 13.10",
        grade=Grade.EXACT,
        subject=invert,
        check=is_an_involution,
        planted={"prior forgotten": without_prior, "uniform row on null observations": with_filler},
    ),
    Law(
        id="B13",
        statement="at the point mass at x, c(y | x) > 0 implies c†(y) = point mass at x times the latent conditional",
        source="a consequence of B1",
        grade=Grade.EXACT,
        subject=invert,
        check=keeps_a_certain_cause,
        planted={"prior forgotten": without_prior, "floor on probabilities": with_floor},
    ),
    Law(
        id="B14",
        statement="a bijection is inverted by its inverse, whatever the prior, on the image of the support",
        source="a consequence of B1",
        grade=Grade.EXACT,
        subject=invert,
        check=inverts_bijections,
        planted={"table read forwards": along_the_channel, "uniform row on null observations": with_filler},
    ),
)
