# SPDX-License-Identifier: MIT
# C = A B of bytes in the target's FP8 format, with a scale for each row of A and each column of B; sums are floats. Sizes are multiples of the blocks.
import triton
import triton.language as tl


@triton.jit
def matmul_fp8(c, a, b, row_scales, column_scales, columns, inner, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
               BLOCK_K: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_tile = a + row[:, None] * inner + k[None, :]
    b_tile = b + column[None, :] * inner + k[:, None]
    total = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for _ in range(0, inner, BLOCK_K):
        total = tl.dot(tl.load(a_tile), tl.load(b_tile), total)
        a_tile += BLOCK_K
        b_tile += BLOCK_K
    total *= tl.load(row_scales + row)[:, None]
    total *= tl.load(column_scales + column)[None, :]
    tl.store(c + row[:, None] * columns + column[None, :], total)
