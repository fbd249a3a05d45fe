# SPDX-License-Identifier: MIT
# Rotary embedding, in place: turns each pair (x[i], x[i + half]) of a head by its position times a frequency. One program a position and head.
import triton
import triton.language as tl


@triton.jit
def rotary(heads, positions, half, log_base, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    pair = tl.arange(0, BLOCK)
    inside = pair < half
    first = heads + (token * tl.num_programs(1) + tl.program_id(1)) * 2 * half + pair
    low = tl.load(first, mask=inside, other=0.0)
    high = tl.load(first + half, mask=inside, other=0.0)
    frequency = tl.exp(-log_base * pair.to(tl.float32) / half)
    angle = tl.load(positions + token).to(tl.float32) * frequency
    cosine = tl.cos(angle)
    sine = tl.sin(angle)
    tl.store(first, low * cosine - high * sine, mask=inside)
    tl.store(first + half, high * cosine + low * sine, mask=inside)
