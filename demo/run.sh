#!/bin/sh
# Checks kernels of jax.nn, optax and equinox against their definitions, then one that follows another convention, and one
# with a mistake. Then it certifies two kernels on every input of a format, and verifies a certificate.
# A verdict other than the expected one ends it with exit code 70.
set -eu
cd "$(dirname "$0")"

expect() {  # expect CODE ARGUMENTS...: 0 conforms, 1 differs
    expected=$1
    shift
    printf '\n$ lenticulum %s\n' "$*"
    code=0
    lenticulum "$@" || code=$?
    [ "$code" -eq "$expected" ] || { echo "demo: exit code $code where $expected was expected"; exit 70; }
}

expect 0 check jax.nn:softmax --spec softmax
expect 0 check jax.nn:relu --spec relu
expect 0 check optax:sgd --spec gradient_descent
expect 0 check optax:adam --spec adam
expect 0 check equinox.nn:Linear --spec dense
expect 0 check equinox.nn:LayerNorm --spec layer_norm
expect 1 check optax:sgd --spec nesterov --bind momentum=0.9 --bind nesterov=true
expect 1 check kernels.py:warm_softmax --spec softmax

printf '\nSix library kernels conform. Two differ, as they should: optax.sgd follows another convention of the method of\n'
printf 'Nesterov, which the verdict names; and the last one is a softmax at temperature 1.00001.\n'

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
expect 0 certify jax.numpy:tanh --spec tanh --dtype float16 --out "$made/tanh.json" --html "$made/tanh.html"
expect 0 verify "$made/tanh.json"
expect 1 certify jax.nn:gelu --spec gelu:approximate=none --dtype bfloat16

printf '\nThe hyperbolic tangent is as accurate as it should be on all 65536 inputs, and a checker with another arithmetic\n'
printf 'says so, too. The default gelu of JAX is the tanh form, and not the one that was asked for.\n'
