"""Examples of optax: init and update of every transformation and optimizer, losses, projections and schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import optax
import optax.contrib
import optax.losses
import optax.projections
import optax.transforms

from benchmarks.primitives.example import Example, call, composed, floats, integers, resolve

PARAMETERS = {"bias": floats(3), "kernel": floats(4, 3)}
SCORES, LABELS = floats(4, 3), integers(4)
RATE, SGD = 0.1, optax.sgd(0.1)


def loss(parameters: dict[str, jax.Array]) -> jax.Array:
    """Return the sum of squares, for transformations that evaluate a function on their way."""
    return sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(parameters))


Extra = Callable[[Any], dict[str, Any]]


def nothing(parameters: Any) -> dict[str, Any]:
    """Return what an ordinary update needs beside gradients, state and parameters."""
    del parameters
    return {}


def transformation(
    path: str, *arguments: Any, parameters: Any = PARAMETERS, extra: Extra = nothing, **options: Any
) -> Iterator[Example]:
    """Yield the examples of a transformation, made of its arguments: its init, and one update at any state.

    extra: a function of the parameters that returns what else the update needs, by name.
    """
    return stages(path, lambda: resolve(path)(*arguments, **options), parameters, extra, options)


def injected(path: str) -> Iterator[Example]:
    """Yield the examples of an optimizer whose learning rate is part of its state."""
    return stages(path, lambda: resolve(path)(optax.adam)(RATE), PARAMETERS, nothing, {})


def stages(
    path: str, make: Callable[[], Any], parameters: Any, extra: Extra, options: dict[str, Any]
) -> Iterator[Example]:
    """Yield the examples of what is made: its init, and its update."""

    def init(parameters: Any) -> Any:
        return make().init(parameters)

    def update(gradients: Any, state: Any, parameters: Any) -> Any:
        made = make()
        if not isinstance(made, optax.MultiSteps):
            made = optax.with_extra_args_support(made)
        return made.update(gradients, state, parameters, **extra(parameters))

    words = [f"{name}={value!r}" for name, value in options.items()]
    state = jax.eval_shape(init, parameters)
    yield composed(path, init, parameters, what=", ".join([*words, "init"]))
    gradients = parameters.fast if isinstance(parameters, optax.LookaheadParams) else parameters
    yield composed(path, update, gradients, state, parameters, what=", ".join([*words, "update"]))


def loss_of(parameters: Any) -> dict[str, Any]:
    """Return what a line search or a step size by Polyak needs beside the gradients."""
    return {"value": loss(parameters), "grad": jax.grad(loss)(parameters), "value_fn": loss}


def value_of(parameters: Any) -> dict[str, Any]:
    """Return the value of the loss by name."""
    return {"value": loss(parameters)}


WITH_RATE = (
    "adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lion nadam nadamw "
    "novograd optimistic_adam optimistic_adam_v2 optimistic_gradient_descent radam rmsprop rprop scale_by_rprop scale "
    "sgd sign_sgd signum sm3 yogi clip clip_by_block_rms clip_by_global_norm adaptive_grad_clip ema trace "
    "scale_by_learning_rate add_decayed_weights"
).split()
WITH_NOTHING = (
    "apply_every centralize identity keep_params_nonnegative normalize_by_update_norm scale_by_adadelta scale_by_adam "
    "scale_by_adamax scale_by_adan scale_by_amsgrad scale_by_belief scale_by_distance_over_gradients "
    "scale_by_factored_rms scale_by_lbfgs scale_by_lion scale_by_novograd scale_by_optimistic_gradient "
    "scale_by_param_block_norm scale_by_param_block_rms scale_by_radam scale_by_rms scale_by_rss scale_by_sign "
    "scale_by_sm3 scale_by_stddev scale_by_trust_ratio scale_by_yogi set_to_zero zero_nans"
).split()
CONTRIBUTED_WITH_RATE = "acprop ademamix adopt galore madgrad muon scale_by_madgrad simplified_ademamix".split()
CONTRIBUTED_WITH_NOTHING = (
    "cocob dadapt_adamw dog dowg normalize prodigy scale_by_acprop scale_by_ademamix scale_by_adopt scale_by_cocob "
    "scale_by_galore scale_by_simplified_ademamix schedule_free_adamw schedule_free_sgd"
).split()
LABELLED = {"bias": "first", "kernel": "second"}
ONLY_KERNEL = {"bias": False, "kernel": True}
BOTH = {"first": optax.adam(RATE), "second": SGD}


TRANSFORMATIONS: tuple[Example, ...] = (
    *(each for name in WITH_RATE for each in transformation(f"optax.{name}", RATE)),
    *(each for name in WITH_NOTHING for each in transformation(f"optax.{name}")),
    *(each for name in CONTRIBUTED_WITH_RATE for each in transformation(f"optax.contrib.{name}", RATE)),
    *(each for name in CONTRIBUTED_WITH_NOTHING for each in transformation(f"optax.contrib.{name}")),
    *transformation("optax.add_noise", 0.1, 0.5, 0),
    *transformation("optax.apply_if_finite", SGD, 2),
    *transformation("optax.noisy_sgd", RATE, key=0),
    *transformation("optax.chain", optax.clip(1.0), SGD),
    *transformation("optax.conditionally_mask", SGD, lambda step, **_: step % 2 == 0),
    *transformation("optax.conditionally_transform", SGD, lambda step, **_: step % 2 == 0),
    *transformation("optax.ema", 0.9, debias=False),
    *transformation("optax.flatten", optax.adam(RATE)),
    *transformation("optax.freeze", ONLY_KERNEL),
    *transformation("optax.lbfgs", extra=loss_of),
    *transformation("optax.masked", SGD, ONLY_KERNEL),
    *transformation("optax.measure_with_ema", optax.global_norm, 0.9),
    *transformation("optax.monitor", {"norm": lambda updates, **_: optax.global_norm(updates)}),
    *transformation("optax.multi_transform", BOTH, LABELLED),
    *transformation("optax.named_chain", ("first", optax.clip(1.0)), ("second", SGD)),
    *transformation("optax.partition", BOTH, LABELLED),
    *transformation("optax.polyak_sgd", extra=value_of),
    *transformation("optax.scale_by_backtracking_linesearch", 4, extra=loss_of),
    *transformation("optax.scale_by_polyak", extra=value_of),
    *transformation("optax.scale_by_schedule", optax.cosine_decay_schedule(1.0, 10)),
    *transformation("optax.scale_by_zoom_linesearch", 4, extra=loss_of),
    *transformation("optax.selective_transform", SGD, freeze_mask=ONLY_KERNEL),
    *transformation("optax.sgd", RATE, momentum=0.9, nesterov=True),
    *transformation("optax.rmsprop", RATE, centered=True, momentum=0.9),
    *transformation("optax.snapshot", "norm", lambda updates, **_: optax.global_norm(updates)),
    *transformation("optax.stateless", lambda updates, parameters: updates),
    *transformation("optax.stateless_with_tree_map", lambda update, parameter: update),
    *transformation("optax.with_extra_args_support", SGD),
    *transformation("optax.contrib.differentially_private_aggregate", 1.0, 0.5, 0, parameters=[floats(2, 3)]),
    *transformation("optax.contrib.hutchinson_estimator_diag_hessian", extra=lambda parameters: {"obj_fn": loss}),
    *transformation("optax.contrib.mechanize", SGD),
    *transformation("optax.contrib.momo", extra=value_of),
    *transformation("optax.contrib.momo_adam", extra=value_of),
    *transformation("optax.contrib.reduce_on_plateau", extra=value_of),
    *transformation("optax.contrib.scale_by_muon", parameters=floats(4, 3)),
    *transformation("optax.contrib.sam", SGD, SGD),
    *transformation("optax.contrib.schedule_free", SGD, RATE),
    *transformation("optax.contrib.split_real_and_imaginary", SGD),
    *transformation("optax.contrib.sophia", RATE, extra=lambda parameters: {"obj_fn": loss}),
    *transformation("optax.lookahead", SGD, 2, 0.5, parameters=optax.LookaheadParams(PARAMETERS, PARAMETERS)),
    *transformation("optax.MultiSteps", SGD, 2),
    *injected("optax.inject_hyperparams"),
    *injected("optax.inject_stateful_hyperparams"),
)

OF_SCORES = (
    "convex_kl_divergence cosine_distance cosine_similarity generalized_kl_divergence hinge_loss huber_loss "
    "kl_divergence l2_loss log_cosh safe_softmax_cross_entropy sigmoid_binary_cross_entropy sigmoid_focal_loss "
    "softmax_cross_entropy squared_error"
).split()
MORE_OF_SCORES = (
    "binary_dice_loss dice_loss kl_divergence_with_log_targets multiclass_generalized_dice_loss perceptron_loss "
    "poly_loss_cross_entropy ranking_softmax_loss"
).split()
OF_LABELS = "multiclass_hinge_loss multiclass_perceptron_loss multiclass_sparsemax_loss".split()
PROJECTIONS = ("l1_ball l1_sphere l2_ball l2_sphere linf_ball non_negative").split()
SCHEDULES = {
    "constant_schedule": (0.1,),
    "cosine_decay_schedule": (0.1, 10),
    "cosine_onecycle_schedule": (10, 0.1),
    "exponential_decay": (0.1, 10, 0.5),
    "linear_onecycle_schedule": (10, 0.1),
    "linear_schedule": (0.1, 0.01, 10),
    "piecewise_constant_schedule": (0.1, {2: 0.5, 4: 0.5}),
    "piecewise_interpolate_schedule": ("cosine", 0.1, {2: 0.5, 4: 0.5}),
    "polynomial_schedule": (0.1, 0.01, 2, 10),
    "warmup_constant_schedule": (0.0, 0.1, 3),
    "warmup_cosine_decay_schedule": (0.0, 0.1, 3, 10),
    "warmup_exponential_decay_schedule": (0.0, 0.1, 3, 10, 0.5),
}
CYCLE = {"init_value": 0.0, "peak_value": 0.1, "decay_steps": 10, "warmup_steps": 2}

OTHERS: tuple[Example, ...] = (
    *(call(f"optax.{name}", SCORES, SCORES) for name in OF_SCORES),
    *(call(f"optax.losses.{name}", SCORES, SCORES) for name in MORE_OF_SCORES),
    *(call(f"optax.losses.{name}", SCORES, LABELS) for name in OF_LABELS),
    call("optax.losses.sparsemax_loss", SCORES, integers(4, 3)),
    call("optax.losses.triplet_margin_loss", SCORES, SCORES, SCORES),
    composed(
        "optax.losses.make_fenchel_young_loss", optax.losses.make_fenchel_young_loss(jax.nn.logsumexp), SCORES, SCORES
    ),
    call("optax.ctc_loss", floats(2, 5, 3), floats(2, 5), integers(2, 4), floats(2, 4)),
    call("optax.ctc_loss_with_forward_probs", floats(2, 5, 3), floats(2, 5), integers(2, 4), floats(2, 4)),
    call("optax.ntxent", SCORES, LABELS),
    call("optax.smooth_labels", SCORES, 0.1),
    call("optax.softmax_cross_entropy_with_integer_labels", SCORES, LABELS),
    *(call(f"optax.projections.projection_{name}", PARAMETERS) for name in PROJECTIONS),
    call("optax.projections.projection_box", floats(4), floats(4), floats(4)),
    call("optax.projections.projection_hypercube", floats(4)),
    *(
        call(f"optax.projections.projection_{name}", floats(4), floats(4), floats())
        for name in ("halfspace", "hyperplane")
    ),
    call("optax.projections.projection_simplex", floats(4)),
    call("optax.projections.projection_vector", floats(4), floats(4)),
    *(
        composed(
            f"optax.{name}", lambda step, name=name, given=given: resolve(f"optax.{name}")(*given)(step), integers()
        )
        for name, given in SCHEDULES.items()
    ),
    composed("optax.sgdr_schedule", lambda step: optax.sgdr_schedule([CYCLE, CYCLE])(step), integers()),
    composed("optax.join_schedules", optax.join_schedules([optax.constant_schedule(1.0)] * 2, [3]), integers()),
    call("optax.bias_correction", PARAMETERS, 0.9, integers()),
    composed(
        "optax.contrib.schedule_free_eval_params",
        lambda parameters: optax.contrib.schedule_free_eval_params(
            optax.contrib.schedule_free_sgd(RATE).init(parameters), parameters
        ),
        PARAMETERS,
    ),
    call("optax.apply_updates", PARAMETERS, PARAMETERS),
    call("optax.global_norm", PARAMETERS),
    call("optax.incremental_update", PARAMETERS, PARAMETERS, 0.1),
    call("optax.matrix_inverse_pth_root", floats(3, 3), 2),
    composed(
        "optax.multi_normal", lambda mean, scale, x: optax.multi_normal(mean, scale).log_prob(x), *[floats(3)] * 3
    ),
    call("optax.nnls", floats(4, 3), floats(4), 5),
    call("optax.per_example_global_norm_clip", [floats(2, 3)], 1.0),
    call("optax.per_example_layer_norm_clip", [floats(2, 3)], 1.0),
    call("optax.periodic_update", PARAMETERS, PARAMETERS, integers(), 3),
    call("optax.power_iteration", floats(3, 3)),
    call("optax.safe_increment", integers()),
    call("optax.safe_int32_increment", integers()),
    call("optax.safe_norm", floats(3), 0.1),
    call("optax.safe_root_mean_squares", floats(3), 0.1),
    call("optax.scale_gradient", PARAMETERS, 0.5),
    call("optax.skip_large_updates", PARAMETERS, integers(), PARAMETERS, 1.0),
    call("optax.skip_not_finite", PARAMETERS, integers(), PARAMETERS),
    call("optax.update_infinity_moment", PARAMETERS, PARAMETERS, 0.9, 1e-8),
    call("optax.update_moment", PARAMETERS, PARAMETERS, 0.9, 2),
    call("optax.update_moment_per_elem_norm", PARAMETERS, PARAMETERS, 0.9, 2),
    call("optax.transforms.unitwise_clip", floats(4, 3), floats(4, 3), floats(4, 3)),
    call("optax.transforms.unitwise_norm", floats(4, 3)),
    composed(
        "optax.value_and_grad_from_state",
        lambda parameters: optax.value_and_grad_from_state(loss)(parameters, state=optax.lbfgs().init(parameters)),
        PARAMETERS,
    ),
)

NOT_OF_ARRAYS = "init_empty_state tree_map_params".split()
LEFT_OUT = {
    "optax.contrib.dpsgd": "a chain of differentially_private_aggregate and others",
    **{f"optax.{name}": "not a function of arrays" for name in NOT_OF_ARRAYS},
    "optax.microbatch": "splits a batch of another function",
}
EXAMPLES = (*TRANSFORMATIONS, *OTHERS)
