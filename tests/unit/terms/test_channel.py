"""A channel is a table of rows that are distributions, or is refused with a sentence."""

from fractions import Fraction

import pytest

from lenticulum.spec.inference.channel import compose, pure, pushforward
from lenticulum.terms.inference import Channel

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("rows", "latent", "error", "message"),
    [
        ((((HALF, HALF / 2),),), (), ValueError, "not a distribution: its entries sum to 3/4"),
        ((((Fraction(3, 2), -HALF),),), (), ValueError, "the smallest is -1/2"),
        ((((HALF, HALF),), ((Fraction(1),),)), (), ValueError, r"row 1 has row lengths \[1\]"),
        ((((HALF, HALF),),), (2,), ValueError, r"latent = \(2,\) and 2 observations need \[2, 2\]"),
        ((), (), ValueError, "every space needs at least one point"),
    ],
)
def test_a_table_that_is_no_channel_is_refused(rows, latent, error, message):
    with pytest.raises(error, match=message):
        Channel(table=rows, latent=latent)


def test_channels_are_values_and_zero_entries_are_legal():
    certain = (((Fraction(1), Fraction(0)),),)
    assert Channel(table=certain) == Channel(table=certain)
    assert Channel(table=certain) != Channel(table=certain, latent=(1,))


def test_channels_between_different_spaces_do_not_compose():
    coin = pure([(HALF, HALF)])
    with pytest.raises(ValueError, match="into 2 points and a second one from 1"):
        compose(coin, coin)


def test_a_prior_of_the_wrong_size_is_refused():
    with pytest.raises(ValueError, match="a prior on 2 points for a channel from 1"):
        pushforward(pure([(HALF, HALF)]), (HALF, HALF))
