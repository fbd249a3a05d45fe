# SPDX-License-Identifier: MIT
# Adds a residual to each row of halves, keeps the sum for the next layer, and normalises it by its root mean square.
import triton
import triton.language as tl


@triton.jit
def rms_norm_residual(result, residual, values, weight, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    place = row * columns + column
    value = tl.load(values + place, mask=inside, other=0.0).to(tl.float32)
    value += tl.load(residual + place, mask=inside, other=0.0).to(tl.float32)
    tl.store(residual + place, value.to(tl.float16), mask=inside)
    mean_square = tl.sum(value * value, axis=0) / columns
    scale = tl.rsqrt(mean_square + epsilon)
    scaled = value * scale * tl.load(weight + column, mask=inside).to(tl.float32)
    tl.store(result + place, scaled.to(tl.float16), mask=inside)
