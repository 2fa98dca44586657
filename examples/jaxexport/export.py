# Trains a transformer that goes on with a series of digits, such as 3 5 7 9 1 3 5 7, and writes it with a symbolic
# batch size. Made with jax 0.10.2, and flatbuffers, which serialize needs:
#
#   JAX_TRACEBACK_IN_LOCATIONS_LIMIT=0 python export.py testdata/series.jaxexport  # without the lines of this file
import sys

import jax
import jax.numpy as jnp
import numpy as np

LENGTH, DIGITS, WIDTH, HIDDEN = 8, 10, 16, 32


def init(key):
    shapes = dict(embed=(DIGITS, WIDTH), place=(LENGTH, WIDTH), qkv=(WIDTH, 3 * WIDTH), out=(WIDTH, WIDTH),
                  up=(WIDTH, HIDDEN), down=(HIDDEN, WIDTH), logits=(WIDTH, DIGITS))
    keys = jax.random.split(key, len(shapes))
    return {name: jax.random.normal(k, s) * s[0] ** -0.5 for k, (name, s) in zip(keys, shapes.items())}


def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


def series(w, tokens):  # s32[batch, LENGTH] -> f32[batch, LENGTH, DIGITS]
    w = jax.tree.map(lambda a: a.astype(jnp.float32), w)
    x = w["embed"][tokens] + w["place"]
    q, k, v = jnp.split(norm(x) @ w["qkv"], 3, -1)
    near = jnp.where(jnp.tri(LENGTH, dtype=bool), q @ k.swapaxes(1, 2) * WIDTH**-0.5, -jnp.inf)
    x += jax.nn.softmax(near) @ v @ w["out"]
    x += jax.nn.relu(norm(x) @ w["up"]) @ w["down"]
    return norm(x) @ w["logits"]


first, step = np.divmod(np.arange(DIGITS * DIGITS), DIGITS)
rows = (first[:, None] + step[:, None] * np.arange(LENGTH + 1)) % DIGITS  # all there are


def loss(w):  # the second digit can't be known
    logp = jax.nn.log_softmax(series(w, rows[:, :-1]))[:, 1:]
    return -jnp.mean(jnp.take_along_axis(logp, rows[:, 2:, None], -1))


@jax.jit
def train(state, t):
    w, m, v = state
    g = jax.grad(loss)(w)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
    adam = lambda w, m, v: w - 5e-3 * (m / (1 - 0.9 ** (t + 1))) / (jnp.sqrt(v / (1 - 0.99 ** (t + 1))) + 1e-8)
    return (jax.tree.map(adam, w, m, v), m, v), loss(w)


w = init(jax.random.key(0))
zero = jax.tree.map(jnp.zeros_like, w)
(w, _, _), losses = jax.lax.scan(train, (w, zero, zero), jnp.arange(4000.0))
w = jax.tree.map(lambda a: a.astype(jnp.bfloat16), w)
right = jnp.argmax(series(w, rows[:, :-1]), -1)[:, 1:] == rows[:, 2:]
print("loss", losses[-1], "right", jnp.mean(right))

tokens = jax.ShapeDtypeStruct(jax.export.symbolic_shape(f"b, {LENGTH}"), np.int32)

def scores(tokens):
    return series(w, tokens)  # the weights are constants of the program


open(sys.argv[1], "wb").write(jax.export.export(jax.jit(scores))(tokens).serialize())
