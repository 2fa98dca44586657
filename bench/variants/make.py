#!/usr/bin/env python3
"""Writes the programs of this folder and workloads.json: other sizes, types and forms of the shared benchmark's groups.

    v/bin/python bench/variants/make.py        # needs jax; the texts are committed, so only for new programs
"""
import json, math, os, re
import jax, jax.numpy as jnp
from jax import lax

jax.config.update("jax_platforms", "cpu")
HERE = os.path.dirname(os.path.abspath(__file__))
work = []

def add(group, name, f, *params, flops=0, rtol=1e-4, mismatch=None):
    """params: "f32[3,4]" or a tuple of that and a dict of what fills it."""
    specs = []
    for p in params:
        s, how = p if isinstance(p, tuple) else (p, {})
        spec = {"shape": s, "dist": how.get("dist", "normal"), **how}
        if s[0] in "su" and "dist" not in how: spec.update(dist="int", low=-127 if s[0] == "s" else 0, high=128)
        specs.append(spec)
    args = [aval(s["shape"]) for s in specs]
    with jax.enable_x64(any(p["shape"][:3] in ("f64", "s64", "u64", "c12") for p in specs)):
        low = jax.jit(f, keep_unused=True).lower(*args)
    text = low.compiler_ir("hlo").as_hlo_text()
    text = re.sub(r"HloModule [\w.-]+", "HloModule " + name, text, count=1)
    text = re.sub(r", metadata=\{[^}]*\}", "", text)
    open(os.path.join(HERE, name + ".hlo"), "w").write(text.rstrip() + "\n")
    outs = jax.tree.leaves(low.out_info)
    size = sum(math.prod(a.shape) * a.dtype.itemsize for a in args + outs)
    w = {"name": name, "group": group, "file": name + ".hlo", "flops": flops, "bytes": size, "seed": 1, "rtol": rtol, "params": specs}
    if mismatch: w["mismatch"] = mismatch
    work.append(w)

TYPES = dict(f64=jnp.float64, f32=jnp.float32, f16=jnp.float16, bf16=jnp.bfloat16, c64=jnp.complex64, c128=jnp.complex128,
             s8=jnp.int8, u8=jnp.uint8, s16=jnp.int16, s32=jnp.int32, s64=jnp.int64, u32=jnp.uint32, u64=jnp.uint64)

def aval(s):
    t, dims = re.match(r"(\w+)\[([\d,]*)\]", s).groups()
    return jax.ShapeDtypeStruct(tuple(int(x) for x in dims.split(",") if x), TYPES[t])

def ints(shape, high, low=0): return (shape, {"dist": "int", "low": low, "high": high})
def uniform(shape, low, high): return (shape, {"dist": "uniform", "low": low, "high": high})
def scaled(shape, scale): return (shape, {"dist": "normal", "scale": scale})
def const(shape, value): return (shape, {"dist": "const", "value": value})

# Products.
add("gemm", "v_gemm_f64_384", jnp.dot, "f64[384,384]", "f64[384,384]", flops=2*384**3, rtol=1e-10)
add("gemm", "v_gemm_f32_odd", jnp.dot, "f32[301,257]", "f32[257,403]", flops=2*301*257*403)
add("gemm", "v_gemm_f32_nt_768", lambda a, b: a @ b.T, "f32[768,768]", "f32[768,768]", flops=2*768**3)
add("gemm", "v_gemm_f32_tall", jnp.dot, "f32[8192,32]", "f32[32,64]", flops=2*8192*32*64)
add("gemm", "v_gemm_f32_deep", lambda a, b: a.T @ b, "f32[16384,32]", "f32[16384,48]", flops=2*16384*32*48)
add("gemm", "v_gemm_f32_24", jnp.dot, "f32[24,24]", "f32[24,24]", flops=2*24**3)
add("gemm", "v_gemm_f16_512", jnp.dot, "f16[512,512]", "f16[512,512]", flops=2*512**3, rtol=0.01)
add("gemm", "v_gemm_bf16_f32_640", lambda a, b: jnp.dot(a, b, preferred_element_type=jnp.float32), "bf16[640,640]", "bf16[640,640]",
    flops=2*640**3, rtol=0.01)
add("gemm", "v_gemv_nt_f32_4096", lambda a, x: a @ x, "f32[4096,2048]", "f32[2048]", flops=2*4096*2048)
add("gemm", "v_gemv_bf16_2048", lambda x, a: x @ a, "bf16[1,2048]", "bf16[2048,2048]", flops=2*2048*2048, rtol=0.02)
add("gemm", "v_batched_tiny", jnp.matmul, "f32[4096,8,8]", "f32[4096,8,8]", flops=2*4096*8**3)
add("gemm", "v_batched_pv", lambda p, v: jnp.einsum("bhij,bhjd->bhid", p, v), "f32[4,8,256,256]", "f32[4,8,256,64]", flops=2*32*256*256*64)
add("gemm", "v_dense_relu_f32", lambda x, w, b: jax.nn.relu(x @ w + b), "f32[256,512]", scaled("f32[512,1024]", 0.05), "f32[1024]",
    flops=2*256*512*1024)

# Convolutions.
def conv(x, w, stride=1, pad="SAME", dims=("NHWC", "HWIO", "NHWC"), **kw):
    n = x.ndim - 2
    return lax.conv_general_dilated(x, w, (stride,)*n, pad, dimension_numbers=dims, **kw)
NCHW = ("NCHW", "OIHW", "NCHW")
add("conv", "v_conv_3x3_s2_56x56x64", lambda x, w: conv(x, w, 2), "f32[2,56,56,64]", "f32[3,3,64,128]", flops=2*2*28*28*9*64*128)
add("conv", "v_conv_7x7_s2_stem", lambda x, w: conv(x, w, 2), "f32[1,224,224,3]", "f32[7,7,3,64]", flops=2*112*112*49*3*64)
add("conv", "v_conv_5x5_nchw_16", lambda x, w: conv(x, w, 1, "SAME", NCHW), "f32[4,16,64,64]", "f32[32,16,5,5]", flops=2*4*64*64*25*16*32)
add("conv", "v_conv_grouped_8", lambda x, w: conv(x, w, feature_group_count=8), "f32[1,28,28,256]", "f32[3,3,32,256]",
    flops=2*28*28*9*32*256)
add("conv", "v_conv_dilated_2", lambda x, w: conv(x, w, rhs_dilation=(2, 2)), "f32[1,48,48,64]", "f32[3,3,64,64]", flops=2*48*48*9*64*64)
add("conv", "v_conv_1d_k9", lambda x, w: conv(x, w, dims=("NWC", "WIO", "NWC")), "f32[4,1024,64]", "f32[9,64,64]", flops=2*4*1024*9*64*64)
add("conv", "v_conv_3d_3x3x3", lambda x, w: conv(x, w, dims=("NDHWC", "DHWIO", "NDHWC")), "f32[1,16,28,28,32]", "f32[3,3,3,32,32]",
    flops=2*16*28*28*27*32*32)
add("conv", "v_conv_f64_3x3", conv, "f64[1,32,32,48]", "f64[3,3,48,48]", flops=2*32*32*9*48*48, rtol=1e-10)
add("conv", "v_conv_bf16_3x3", conv, "bf16[1,28,28,128]", "bf16[3,3,128,128]", flops=2*28*28*9*128*128, rtol=0.02)
add("conv", "v_conv_depthwise_5x5_nchw", lambda x, w: conv(x, w, 1, "SAME", NCHW, feature_group_count=96), "f32[2,96,56,56]", "f32[96,1,5,5]",
    flops=2*2*96*56*56*25)
add("conv", "v_conv_depthwise_s2", lambda x, w: conv(x, w, 2, feature_group_count=64), "f32[4,56,56,64]", "f32[3,3,1,64]", flops=2*4*28*28*64*9)
add("conv", "v_conv_transposed_3x3_s2", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), "f32[2,28,28,64]", "f32[3,3,64,64]",
    flops=2*2*28*28*9*64*64)
add("conv", "v_conv_1x1_nchw", lambda x, w: conv(x, w, 1, "SAME", NCHW), "f32[2,256,14,14]", "f32[512,256,1,1]", flops=2*2*196*256*512)
add("conv", "v_conv_grad_input", lambda w, g: jax.vjp(lambda x: conv(x, w), jnp.zeros((4, 28, 28, 64), jnp.float32))[1](g)[0], "f32[3,3,64,96]", "f32[4,28,28,96]",
    flops=2*4*28*28*9*64*96)
add("conv", "v_conv_grad_weights_s2", lambda x, g: jax.vjp(lambda w: conv(x, w, 2), jnp.zeros((3, 3, 32, 64), jnp.float32))[1](g)[0], "f32[8,28,28,32]",
    "f32[8,14,14,64]", flops=2*8*14*14*9*32*64, rtol=5e-4)
add("conv", "v_maxpool_3x3_s2", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), "f32[4,112,112,64]", flops=4*56*56*64*9)

# Fusions.
add("fusion", "v_silu_bf16_2m", jax.nn.silu, "bf16[2097152]", flops=5*2**21, rtol=0.02)
add("fusion", "v_exp_64k", jnp.exp, "f32[65536]", flops=65536)
add("fusion", "v_sin_tanh_1m", lambda x: jnp.sin(x) * jnp.tanh(x), "f32[1048576]", flops=3*2**20)
add("fusion", "v_pow_f64_256k", lambda x, y: x ** y, uniform("f64[262144]", 0.1, 3.0), "f64[262144]", flops=2**18, rtol=1e-10)
add("fusion", "v_softmax_axis0", lambda x: jax.nn.softmax(x, axis=0), "f32[512,1000]", flops=5*512*1000)
add("fusion", "v_softmax_f16_rows", lambda x: jax.nn.softmax(x, axis=-1), "f16[2048,256]", flops=5*2048*256, rtol=0.01)
add("fusion", "v_rmsnorm_bf16", lambda x, g: (x * lax.rsqrt(jnp.mean(x.astype(jnp.float32)**2, -1, keepdims=True) + 1e-6) * g).astype(jnp.bfloat16),
    "bf16[512,2048]", "bf16[2048]", flops=5*2**20, rtol=0.02)
add("fusion", "v_layernorm_768", lambda x, g, b: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b,
    "f32[333,768]", "f32[768]", "f32[768]", flops=8*333*768)
add("fusion", "v_batchnorm_train", lambda x, g, b: (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * g + b, "f32[16,28,28,64]", "f32[64]",
    "f32[64]", flops=8*16*28*28*64)
add("fusion", "v_momentum_3m", lambda w, m, g: (w - 0.01 * (0.9 * m + g), 0.9 * m + g), "f32[3000000]", "f32[3000000]", "f32[3000000]", flops=4*3000000)
add("fusion", "v_sum_all_4m", jnp.sum, "f32[4194304]", flops=4194304)
add("fusion", "v_colmax_1000x3001", lambda x: x.max(0), "f32[1000,3001]", flops=1000*3001)
add("fusion", "v_argmax_rows", lambda x: jnp.argmax(x, -1), "f32[1024,2000]", flops=1024*2000)
add("fusion", "v_sum_middle", lambda x: x.sum(1), "f32[64,256,128]", flops=2**21)
add("fusion", "v_l1_distances", lambda a, b: jnp.abs(a[:, None] - b[None]).sum(-1), "f32[400,48]", "f32[600,48]", flops=3*400*600*48)
add("fusion", "v_cummax_rows_f64", lambda x: lax.cummax(x, axis=1), "f64[512,2048]", flops=2**20)
add("fusion", "v_cumsum_columns", lambda x: jnp.cumsum(x, 0), "f32[2048,512]", flops=2**20, rtol=1e-3)
add("fusion", "v_transpose_bf16_2048", lambda x: x.T, "bf16[2048,2048]")
add("fusion", "v_transpose_heads", lambda x: x.transpose(0, 2, 1, 3), "f32[8,512,12,64]")
add("fusion", "v_transpose_u8_nhwc", lambda x: x.transpose(0, 3, 1, 2), "u8[8,256,256,3]")
add("fusion", "v_concat_pad_slice", lambda a, b: jnp.pad(jnp.concatenate([a[:, 5:700], b[:, ::2]], 1), ((1, 1), (3, 0))), "f32[1024,800]", "f32[1024,600]")
add("fusion", "v_rope_f32", lambda x, c, s: jnp.concatenate([x[..., :32] * c - x[..., 32:] * s, x[..., 32:] * c + x[..., :32] * s], -1),
    "f32[512,16,64]", "f32[512,1,32]", "f32[512,1,32]", flops=3*2**19)
add("fusion", "v_s32_hash_1m", lambda x: ((x ^ (x >> 16)) * 73244475) ^ (x << 3), "s32[1048576]", flops=5*2**20)

# Indexing.
add("indexing", "v_gather_bf16_rows", lambda t, i: t[i], "bf16[30000,128]", ints("s32[16384]", 30000))
add("indexing", "v_gather_scalars", lambda t, i: t[i], "f32[1000000]", ints("s32[1000000]", 1000000))
add("indexing", "v_take_along_axis", lambda x, i: jnp.take_along_axis(x, i, 1), "f32[2048,512]", ints("s32[2048,64]", 512))
add("indexing", "v_histogram_1m", lambda i: jnp.zeros(1024, jnp.int32).at[i].add(1), ints("s32[1000000]", 1024), flops=1000000)
add("indexing", "v_segment_max", lambda d, i: jnp.full((5000, 16), -jnp.inf, jnp.float32).at[i].max(d), "f32[100000,16]", ints("s32[100000]", 5000),
    flops=1600000)
add("indexing", "v_roll_update", lambda x, u, i: lax.dynamic_update_slice(jnp.roll(x, 7, 1), u, (i, 0)), "f32[2048,512]", "f32[16,512]", ints("s32[]", 1000))

# Algorithms.
add("algorithm", "v_sort_rows", lambda x: jnp.sort(x, 1), "f32[1024,1000]", flops=1024*1000*10)
add("algorithm", "v_sort_s64_200k", lambda x: -jnp.sort(-x), ints("s64[200000]", 1 << 40), flops=200000*18)
add("algorithm", "v_argsort_256k", jnp.argsort, "f32[262144]", flops=2**18*18)
add("algorithm", "v_topk_rows", lambda x: lax.top_k(x, 8), "f32[256,8192]", flops=2**21)
add("algorithm", "v_fft_rows_1000", jnp.fft.fft, "c64[512,1000]", flops=5*512*1000*10)
add("algorithm", "v_rfft_f32_4096", jnp.fft.rfft, "f32[128,4096]", flops=2.5*128*4096*12)
add("algorithm", "v_fft2_c128_256", jnp.fft.fft2, "c128[256,256]", flops=5*65536*16, rtol=1e-10)
add("algorithm", "v_cholesky_f64_batch", lambda a: lax.linalg.cholesky(a, symmetrize_input=False), ("f64[64,64,64]", {"dist": "symmetric", "diag_add": 64.0}), flops=64*64**3//3, rtol=1e-9)
add("algorithm", "v_triangular_solve", lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True), ("f32[256,256]", {"dist": "normal", "scale": 0.1, "diag_add": 8.0}), "f32[256,128]", flops=256*256*128, rtol=1e-3)
add("algorithm", "v_threefry_bits_500k", lambda k: jax.random.bits(jax.random.wrap_key_data(k), (500000,)), ints("u32[2]", 1 << 32), flops=500000*90)
add("algorithm", "v_normal_300k", lambda k: jax.random.normal(jax.random.wrap_key_data(k), (300, 1000), jnp.float32), ints("u32[2]", 1 << 32), flops=300000*120)

# Loops.
def collatz(n):
    return lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, jnp.int32(0)))[1]
add("loop", "v_collatz", collatz, const("s64[]", 837799), flops=524*4)
add("loop", "v_collatz_many", jax.vmap(collatz), ints("s32[4096]", 100000, 1), flops=4096*350*5)
add("loop", "v_rotation_4x4_100k", lambda a, x: lax.fori_loop(0, 100000, lambda i, x: jnp.tanh(a @ x), x), "f32[4,4]", "f32[4]", flops=100000*36, rtol=1e-3)
add("loop", "v_lorenz_100k", lambda s: lax.fori_loop(0, 100000, lambda i, s: s + 0.001 * jnp.array([10 * (s[1] - s[0]), s[0] * (10 - s[2]) - s[1], s[0] * s[1] - 8 / 3 * s[2]], jnp.float32), s),
    "f32[3]", flops=100000*18)
add("loop", "v_newton_f64_1m", lambda x: lax.fori_loop(0, 1000000, lambda i, y: 0.5 * (y + x / y), x), uniform("f64[]", 1.0, 2.0), flops=3000000, rtol=1e-10)
def gru(x, w, u, b, h):
    def cell(h, xt):
        z, r, n = jnp.split(xt @ w + b, 3, -1); uz, ur, un = jnp.split(h @ u, 3, -1)
        z, r = jax.nn.sigmoid(z + uz), jax.nn.sigmoid(r + ur)
        h = (1 - z) * h + z * jnp.tanh(n + r * un)
        return h, h
    return lax.scan(cell, h, x)
add("loop", "v_gru_64x16x128", gru, "f32[64,16,96]", scaled("f32[96,384]", 0.1), scaled("f32[128,384]", 0.1), "f32[384]", "f32[16,128]",
    flops=64*2*16*(96+128)*384, rtol=1e-3)
add("loop", "v_rnn_batch1", lambda x, w, u, h: lax.scan(lambda h, x: ((h := jnp.tanh(x @ w + h @ u)), h[0])[0:2], h, x), "f32[256,32]", scaled("f32[32,64]", 0.1), scaled("f32[64,64]", 0.1), "f32[64]",
    flops=256*2*96*64, rtol=1e-3)
def heat(u):
    def step(i, u):
        return u.at[1:-1, 1:-1].add(0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]))
    return lax.fori_loop(0, 50, step, u)
add("loop", "v_heat_256", heat, "f32[256,256]", flops=50*254*254*7, rtol=1e-3)
add("loop", "v_scan_ema", lambda x: lax.scan(lambda c, x: ((c := 0.9 * c + 0.1 * x), c), jnp.zeros(64, jnp.float32), x)[1], "f32[2048,64]", flops=2048*64*3)
add("loop", "v_julia_f64", lambda x, y: lax.fori_loop(0, 50, lambda i, s: (lambda a, b, n: (jnp.where(a*a+b*b < 4, a*a-b*b-0.8, a), jnp.where(a*a+b*b < 4, 2*a*b+0.156, b), n + (a*a+b*b < 4)))(*s), (x, y, jnp.zeros(x.shape, jnp.int32)))[2],
    uniform("f64[256,256]", -1.5, 1.5), uniform("f64[256,256]", -1.5, 1.5), flops=50*65536*10, mismatch=0.01)

# Models.
def attention(x, wq, wk, wv, wo):
    q, k, v = (jnp.einsum("bsd,dhe->bhse", x, w) for w in (wq, wk, wv))
    s = jnp.einsum("bhse,bhte->bhst", q, k) / 8
    s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -1e9)
    return jnp.einsum("bhse,hed->bsd", jnp.einsum("bhst,bhte->bhse", jax.nn.softmax(s, -1), v), wo)
add("model", "v_attention_256x256", attention, "f32[2,256,256]", *[scaled("f32[256,4,64]", 0.06)] * 3, scaled("f32[4,64,256]", 0.06),
    flops=2*2*256*256*256*4 + 2*2*2*4*256*256*64, rtol=1e-3)
def mlp_loss(p, x, y):
    for w in p[:-1]: x = jnp.tanh(x @ w)
    return jnp.mean((x @ p[-1] - y) ** 2)
add("model", "v_mlp_grad_f64", lambda x, y, *p: jax.value_and_grad(mlp_loss)(p, x, y), "f64[64,100]", "f64[64,10]", scaled("f64[100,200]", 0.1), scaled("f64[200,200]", 0.1),
    scaled("f64[200,10]", 0.1), flops=6*64*(100*200+200*200+200*10), rtol=1e-9)
def kmeans(x, c):
    d = jnp.sum(x * x, 1)[:, None] - 2 * x @ c.T + jnp.sum(c * c, 1)[None]
    one = jax.nn.one_hot(jnp.argmin(d, 1), c.shape[0], dtype=x.dtype)
    return (one.T @ x) / jnp.maximum(one.sum(0)[:, None], 1)
add("model", "v_kmeans_step", kmeans, "f32[10000,16]", "f32[32,16]", flops=10000*32*16*4, rtol=1e-2)
def bodies(x, v):
    def step(i, s):
        x, v = s
        d = x[None] - x[:, None]
        r = jnp.sum(d * d, -1) + 0.05
        return x + 0.01 * v, v + 0.01 * jnp.sum(d * (lax.rsqrt(r) / r)[..., None], 1)
    return lax.fori_loop(0, 3, step, (x, v))
add("model", "v_bodies_rsqrt_500", bodies, "f32[500,3]", "f32[500,3]", flops=3*500*500*20, rtol=1e-3)
def mobile(x, w1, dw, w2):
    x = jax.nn.relu6(conv(x, w1)); x = jax.nn.relu6(conv(x, dw, feature_group_count=96))
    return conv(x, w2)
add("model", "v_mobilenet_block", mobile, "f32[1,56,56,24]", scaled("f32[1,1,24,96]", 0.2), scaled("f32[3,3,1,96]", 0.3), scaled("f32[1,1,96,24]", 0.1),
    flops=2*56*56*(24*96*2+9*96), rtol=1e-3)
add("model", "v_monte_carlo_asian", lambda z, s: jnp.mean(jnp.maximum(s * jnp.exp(jnp.cumsum(0.01 * z - 0.0001, 1)).mean(1) - 100, 0)), "f32[20000,64]", const("f32[]", 105), flops=20000*64*6, rtol=1e-3)
add("model", "v_logistic_grad", lambda w, x, y: jax.grad(lambda w: jnp.mean(jnp.logaddexp(0., (1 - 2 * y) * (x @ w))))(w), "f32[200]", "f32[5000,200]", uniform("f32[5000]", 0, 1), flops=4*5000*200, rtol=1e-3)
add("model", "v_small_vector_ops", lambda a, b: (a * b + 1, jnp.dot(a, b), a.max()), "f32[100]", "f32[100]", flops=500)

# Index arithmetic: rows of few elements, groups of channels, rolls, divisions by constants, scatters.
def group_norm(x, g, b, axes, shape):
    y = x.reshape(shape); m, v = y.mean(axes, keepdims=True), y.var(axes, keepdims=True)
    return ((y - m) * lax.rsqrt(v + 1e-5)).reshape(x.shape) * g + b
add("fusion", "v_groupnorm_nchw", lambda x, g, b: group_norm(x, g, b, -1, (4, 8, -1)), "f32[4,64,28,28]", "f32[64,1,1]", "f32[64,1,1]", flops=8*4*64*784, rtol=1e-3)
add("fusion", "v_groupnorm_nhwc", lambda x, g, b: group_norm(x, g, b, (1, 2, 4), (4, 32, 32, 8, 8)), "f32[4,32,32,64]", "f32[64]", "f32[64]", flops=8*4*64*1024, rtol=1e-3)
add("fusion", "v_normalize_image", lambda x: (x.astype(jnp.float32) / 255 - jnp.array([.48, .45, .4], jnp.float32)) / 0.2, ints("u8[4,224,224,3]", 256), flops=3*602112)
add("fusion", "v_stack_last", lambda a, b, c: jnp.stack([a, b, c], -1), *["f32[512,512]"] * 3)
add("fusion", "v_concat_last_small", lambda a, b, c: jnp.concatenate([a, b, c], -1), "f32[50000,3]", "f32[50000,4]", "f32[50000,1]")
add("fusion", "v_remainder_popcount", lambda x, y: lax.population_count(x & y) + lax.clz(x | y) + x % 7 // 3, *[ints("u32[500000]", 1 << 32)] * 2, flops=6*500000)
add("fusion", "v_complex_abs", lambda a, b: jnp.abs(a * b + jnp.conj(a)), "c64[300000]", "c64[300000]", flops=10*300000)
add("fusion", "v_resize_bilinear", lambda x: jax.image.resize(x, (2, 256, 256, 3), "bilinear"), "f32[2,128,128,3]", flops=2*128*(256*768+1536*256), rtol=1e-3)
add("algorithm", "v_inverse_2x2", lambda a: jnp.stack([jnp.stack([a[:, 1, 1], -a[:, 0, 1]], -1), jnp.stack([-a[:, 1, 0], a[:, 0, 0]], -1)], -2) /
    (a[:, 0, 0] * a[:, 1, 1] - a[:, 0, 1] * a[:, 1, 0])[:, None, None], ("f32[50000,2,2]", {"dist": "normal", "scale": 0.1, "diag_add": 2.0}), flops=7*50000, rtol=1e-3)
add("indexing", "v_segment_sum_8", lambda x, i: jax.ops.segment_sum(x, i, 1000), "f32[50000,8]", ints("s32[50000]", 1000), flops=400000, rtol=1e-3)
add("indexing", "v_embedding_gradient", lambda i, d: jnp.zeros((5000, 128), jnp.float32).at[i].add(d), ints("s32[2048]", 5000), "f32[2048,128]", flops=2048*128, rtol=1e-3)
add("indexing", "v_scatter_min_s32", lambda x, i, u: x.at[i].min(u), ints("s32[10000]", 1 << 30), ints("s32[100000]", 10000), ints("s32[100000]", 1 << 30), flops=100000)
def heat3(u): return lax.fori_loop(0, 20, lambda i, u: u + 0.1 * (sum(jnp.roll(u, s, a) for a in range(3) for s in (1, -1)) - 6 * u), u)
add("loop", "v_heat_3d_f64", heat3, "f64[32,32,32]", flops=20*32768*8, rtol=1e-8)
def fdtd(ez, hx, hy):
    def step(i, s):
        ez, hx, hy = s
        hx = hx.at[:, :-1].add(-0.5 * (ez[:, 1:] - ez[:, :-1])); hy = hy.at[:-1].add(0.5 * (ez[1:] - ez[:-1]))
        ez = ez.at[1:-1, 1:-1].add(0.5 * ((hy[1:-1, 1:-1] - hy[:-2, 1:-1]) - (hx[1:-1, 1:-1] - hx[1:-1, :-2])))
        return ez.at[64, 64].add(jnp.sin(0.1 * i)), hx, hy
    return lax.fori_loop(0, 40, step, (ez, hx, hy))
add("loop", "v_fdtd_128", fdtd, *["f32[128,128]"] * 3, flops=40*16384*10, rtol=1e-3)
add("model", "v_smoothed_density", lambda x: (jnp.maximum(0.25 - ((x[:, None] - x[None]) ** 2).sum(-1), 0) ** 3).sum(1), uniform("f32[1500,3]", 0, 2), flops=1500*1500*12, rtol=1e-3)
add("loop", "v_logistic_map_1m", lambda x: lax.fori_loop(0, 100, lambda i, x: 3.2 * x * (1 - x), x), uniform("f32[1048576]", 0.1, 0.9), flops=100*1048576*3, rtol=1e-2)
def lorenz_ensemble(*state):
    def slope(s): x, y, z = s; return 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z
    def ahead(s, h, d): return tuple(a + h * b for a, b in zip(s, d))
    def step(_, s):
        a = slope(s); b = slope(ahead(s, 0.005, a)); c = slope(ahead(s, 0.005, b)); d = slope(ahead(s, 0.01, c))
        return tuple(v + 0.01 / 6 * (p + 2 * q + 2 * r + t) for v, p, q, r, t in zip(s, a, b, c, d))
    return lax.fori_loop(0, 100, step, state)
add("loop", "v_lorenz_ensemble", lorenz_ensemble, *[uniform("f32[200000]", 1, 2)] * 3, flops=100*200000*75, rtol=0.05)
add("loop", "v_newton_until", lambda a: lax.while_loop(lambda s: (jnp.max(jnp.abs(s[1] - s[2])) > 1e-4) & (s[0] < 100), lambda s: (s[0] + 1, 0.5 * (s[1] + a / s[1]), s[1]), (0, a, a + 1))[:2],
    uniform("f32[500,500]", 1, 100), flops=10*250000*6)

# Systems of equations whose components are stacked, in rows and in columns.
def runge_kutta(slope, steps, h):
    def step(_, y):
        a = slope(y); b = slope(y + h / 2 * a); c = slope(y + h / 2 * b); d = slope(y + h * c)
        return y + h / 6 * (a + 2 * b + 2 * c + d)
    return lambda y: lax.fori_loop(0, steps, step, y)
def lorenz(y): return jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])
add("loop", "v_lorenz_rows", runge_kutta(lorenz, 50, 0.005), uniform("f32[3,10000]", 1, 2), flops=50*10000*75, rtol=0.05)
add("loop", "v_lorenz_columns", jax.vmap(runge_kutta(lorenz, 50, 0.005)), uniform("f32[5000,3]", 1, 2), flops=50*5000*75, rtol=0.05)
def attitude(q, w):
    def step(_, q):
        a, b, c, d = q.T; x, y, z = w.T
        q = q + 0.005 * jnp.stack([-b*x - c*y - d*z, a*x + c*z - d*y, a*y - b*z + d*x, a*z + b*y - c*x], 1)
        return q / jnp.linalg.norm(q, axis=1, keepdims=True)
    return lax.fori_loop(0, 30, step, q)
add("loop", "v_attitude_columns", attitude, "f32[5000,4]", "f32[5000,3]", flops=30*5000*45, rtol=1e-3)
def lattice_boltzmann(f):
    cx, cy = [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]
    w = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
    def step(_, f):
        f = jnp.stack([jnp.roll(f[k], (cx[k], cy[k]), (0, 1)) for k in range(9)])
        rho = f.sum(0); ux, uy = (sum(f[k] * c[k] for k in range(9)) / rho for c in (cx, cy))
        along = [cx[k] * ux + cy[k] * uy for k in range(9)]
        even = jnp.stack([w[k] * rho * (1 + 3 * a + 4.5 * a * a - 1.5 * (ux * ux + uy * uy)) for k, a in enumerate(along)])
        return f - 0.6 * (f - even)
    return lax.fori_loop(0, 5, step, f)
add("loop", "v_lattice_boltzmann", lattice_boltzmann, uniform("f32[9,100,200]", 0.5, 1.5), flops=5*20000*200, rtol=1e-3)

# Images with few channels, bits, and sums of what is dear.
def cutout(x, c):
    inside = lambda n, at: jnp.abs(n - at[:, None]) < 8
    m = inside(jnp.arange(64), c[:, 0])[:, :, None, None] & inside(jnp.arange(64), c[:, 1])[:, None, :, None]
    return jnp.where(m, 0, x)
add("model", "v_cutout", cutout, "f32[16,64,64,3]", ints("s32[16,2]", 64))
add("algorithm", "v_packbits", lambda x: jnp.packbits(x), ints("u8[262144]", 2), flops=262144)
add("fusion", "v_pool_argmax", lambda x: jnp.argmax(x.reshape(4, 24, 2, 24, 2, 8).transpose(0, 1, 3, 5, 2, 4).reshape(4, 24, 24, 8, 4), -1), "f32[4,48,48,8]", flops=73728)
def lamb(p, m, v, g):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    u = m / 0.1 / (jnp.sqrt(v / 0.001) + 1e-6) + 0.01 * p
    return p - 1e-3 * jnp.linalg.norm(p) / jnp.linalg.norm(u) * u, m, v
add("model", "v_lamb", lamb, "f32[257,400]", "f32[257,400]", uniform("f32[257,400]", 0, 1), "f32[257,400]", flops=257*400*16, rtol=1e-3)
def focal(x, y):
    p = jax.nn.sigmoid(x)
    return -jnp.mean((1 - p) ** 2 * y * jax.nn.log_sigmoid(x) + p ** 2 * (1 - y) * jax.nn.log_sigmoid(-x))
add("model", "v_focal_loss", focal, "f32[300,501]", uniform("f32[300,501]", 0, 1), flops=300*501*60, rtol=1e-3)

# Complex numbers, rows and columns of a few elements, and small matrices.
add("gemm", "v_matvec_c64", jnp.dot, "c64[400,300]", "c64[300]", flops=8*120000)
add("gemm", "v_gemm_c64_nt", lambda a, b: a @ b.T, "c64[150,170]", "c64[130,170]", flops=8*150*170*130)
add("gemm", "v_gemm_c128_96", jnp.dot, "c128[96,97]", "c128[97,98]", flops=8*96*97*98, rtol=1e-10)
add("gemm", "v_matvec_3x3_batch", lambda a, x: jnp.einsum("bij,bj->bi", a, x), "f32[30000,3,3]", "f32[30000,3]", flops=18*30000)
add("gemm", "v_row_dots_s32", lambda a, b: jnp.einsum("bi,bi->b", a, b), "s32[5000,20]", "s32[5000,20]", flops=2*100000)
add("fusion", "v_transpose_c64", lambda x: x.T, "c64[301,303]")
add("fusion", "v_adjoint_c64", lambda x: x.conj().T, "c64[301,303]", flops=301*303)
def standardized(x, axes): return (x - x.mean(axes, keepdims=True)) * lax.rsqrt(x.var(axes, keepdims=True) + 1e-5)
add("fusion", "v_standardize_images", lambda x: standardized(x, (1, 2, 3)), "f32[64,32,32,3]", flops=8*196608, rtol=1e-3)
add("fusion", "v_softmax_pixels_3", lambda x: jax.nn.softmax(x, (1, 2)), "f32[16,24,24,3]", flops=5*27648, rtol=1e-3)
add("fusion", "v_weight_norm", lambda v, g: v * (g / jnp.sqrt((v * v).sum((1, 2, 3))))[:, None, None, None], "f32[64,33,3,3]", "f32[64]", flops=3*19008)
add("fusion", "v_argmax_last_8", lambda x: jnp.argmax(x, -1), "f32[40,50,8]", flops=16000)
def det3(a): return sum(a[:, 0, i] * (a[:, 1, (i+1) % 3] * a[:, 2, (i+2) % 3] - a[:, 1, (i+2) % 3] * a[:, 2, (i+1) % 3]) for i in range(3))
add("algorithm", "v_det_3x3", det3, "f32[20001,3,3]", flops=14*20001, rtol=1e-3)

# Rolls by what data says and of all dimensions, tables of columns, planes stacked behind, random numbers wanted twice.
def knapsack(w, v):
    def step(d, wv): return jnp.maximum(d, jnp.where(jnp.arange(1001) >= wv[0], jnp.roll(d, wv[0]) + wv[1], 0)), None
    return lax.scan(step, jnp.zeros(1001, jnp.int32), (w, v))[0]
add("loop", "v_knapsack", knapsack, *[ints("s32[100]", 100, 1)] * 2, flops=100*1001*4)
add("loop", "v_american_put", lambda s: lax.fori_loop(0, 150, lambda i, v: jnp.maximum(0.999 * (0.51 * jnp.roll(v, -1) + 0.49 * v), 100 - s), jnp.maximum(100 - s, 0)),
    uniform("f32[100,151]", 80, 120), flops=150*15100*5, rtol=1e-3)
add("loop", "v_upwind", lambda u: lax.fori_loop(0, 500, lambda i, u: u - 0.4 * (u - jnp.roll(u, 1)), u), "f32[1000]", flops=500*1000*3, rtol=1e-3)
def metropolis(x, k):
    def step(x, k):
        a, b = jax.random.split(k)
        y = x + 0.3 * jax.random.normal(a, x.shape, jnp.float32); d = 0.5 * (x * x - y * y).sum(1)
        return jnp.where((jnp.log(jax.random.uniform(b, (x.shape[0],), jnp.float32)) < d)[:, None], y, x), None
    return lax.scan(step, x, jax.random.split(jax.random.wrap_key_data(k), 50))[0]
add("loop", "v_metropolis_chains", metropolis, "f32[1000,4]", ints("u32[2]", 1 << 32), flops=50*5000*120, rtol=0.5)
def lattice_behind(f):
    cx, cy = [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]
    c, w = jnp.array([cx, cy], jnp.float32), jnp.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, jnp.float32)
    def step(_, f):
        rho = f.sum(-1, keepdims=True); u = f @ c.T / rho; a = u @ c
        f = f + 0.7 * (rho * w * (1 + 3 * a + 4.5 * a ** 2 - 1.5 * (u ** 2).sum(-1, keepdims=True)) - f)
        return jnp.stack([jnp.roll(f[..., k], (cx[k], cy[k]), (0, 1)) for k in range(9)], -1)
    return lax.fori_loop(0, 5, step, f)
add("loop", "v_lattice_boltzmann_behind", lattice_behind, uniform("f32[64,80,9]", 0.5, 1.5), flops=5*5120*200, rtol=1e-3)
add("indexing", "v_scatter_columns", lambda x, i, u: x.at[:, i].add(u), "f32[300,500]", ints("s32[200]", 500), "f32[300,200]", flops=60000)
add("indexing", "v_take_columns", lambda x, i: jnp.take(x, i, axis=1), "f32[1000,600]", ints("s32[200]", 600))
add("indexing", "v_take_or_zero", lambda t, i: t.at[i].get(mode="fill", fill_value=0), "f32[5000]", ints("s32[200000]", 6000, -1000))
add("indexing", "v_permute_both", lambda x, p, q: x[p][:, q], "f32[400,400]", ints("s32[400]", 400), ints("s32[400]", 400))
add("indexing", "v_sliding_windows", lambda x: x[jnp.arange(5000)[:, None] + jnp.arange(20)].mean(1), "f32[5019]", flops=100000)
add("indexing", "v_interpolate", lambda x, xp, fp: jnp.interp(x, jnp.sort(xp), fp), "f32[50000]", "f32[300]", "f32[300]", flops=50000*20, rtol=1e-3)
add("indexing", "v_spline", lambda x, c: (lambda i, t: c[i, 0] + t * (c[i, 1] + t * (c[i, 2] + t * c[i, 3])))(jnp.clip(jnp.floor(x * 50).astype(jnp.int32), 0, 49), x * 50 - jnp.floor(x * 50)),
    uniform("f32[100000]", 0, 1), "f32[50,4]", flops=800000, rtol=1e-3)

# Scalars that loops carry, choices of updated arrays, short transforms, and gradients of windows of one element.
add("conv", "v_conv_grad_input_1x1_s2", lambda w, g: jax.vjp(lambda x: conv(x, w, 2), jnp.zeros((2, 28, 28, 64), jnp.float32))[1](g)[0], "f32[1,1,64,96]",
    "f32[2,14,14,96]", flops=2*2*14*14*64*96)
add("loop", "v_while_two_conditions", lambda x: lax.while_loop(lambda s: (s[0] > 1e-6) & (s[1] < 100000), lambda s: (s[0] * 0.9999, s[1] + 1), (x, 0)), const("f32[]", 1.0), flops=100000*3)
def coins(c):
    def coin(d, k): return lax.fori_loop(0, 500, lambda i, d: jnp.where(i >= k, d.at[i].add(d[jnp.maximum(i - k, 0)]), d), d), None
    return lax.scan(coin, jnp.zeros(501, jnp.int32).at[0].set(1), c)[0]
add("loop", "v_coin_change", coins, ints("s32[6]", 50, 1), flops=6*500*3)
def partitions(d):
    def part(k, d): return lax.fori_loop(0, 200, lambda i, d: jnp.where(i >= k, d.at[i].set((d[i] + d[jnp.maximum(i - k, 0)]) % 1000007), d), d)
    return lax.fori_loop(1, 200, part, d)
add("loop", "v_partitions", partitions, ints("s32[200]", 1000), flops=199*200*5)
def alignment(a, b):
    def place(i, j, d): return d.at[i, j].set(jnp.maximum(jnp.maximum(d[i-1, j], d[i, j-1]) - 1, d[i-1, j-1] + jnp.where(a[i-1] == b[j-1], 2, -1)))
    return lax.fori_loop(1, 61, lambda i, d: lax.fori_loop(1, 71, lambda j, d: place(i, j, d), d), -(jnp.arange(61)[:, None] + jnp.arange(71)))
add("loop", "v_alignment", alignment, ints("s32[60]", 4), ints("s32[70]", 4), flops=60*70*6)
def split_step(p, v):
    w = jnp.exp(-0.005j * jnp.fft.fftfreq(256).astype(jnp.float32) ** 2 * 1000)
    return lax.fori_loop(0, 50, lambda i, p: jnp.fft.ifft(jnp.fft.fft(p * jnp.exp(-0.01j * v)) * w), p)
add("loop", "v_split_step", split_step, "c64[256]", "f32[256]", flops=50*2*5*256*8, rtol=1e-3)

json.dump({"version": 1, "workloads": work}, open(os.path.join(HERE, "workloads.json"), "w"))
text = open(os.path.join(HERE, "workloads.json")).read()
open(os.path.join(HERE, "workloads.json"), "w").write(text.replace('}, {"name"', '},\n  {"name"').replace('"workloads": [', '\n "workloads": [\n  ') + "\n")
print(len(work), "programs")
