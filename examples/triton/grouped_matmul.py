# SPDX-License-Identifier: MIT
# Products of a mixture of experts: rows bounds[e] to bounds[e + 1] of A times the matrix of expert e. As many programs as a launch has share all tiles.
import triton
import triton.language as tl


@triton.jit
def grouped_matmul(c, a, b, bounds, experts, columns, inner, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                   BLOCK_K: tl.constexpr):
    tile = tl.program_id(0)
    tiles_n = tl.cdiv(columns, BLOCK_N)
    done = 0
    for expert in range(experts):
        first = tl.load(bounds + expert)
        last = tl.load(bounds + expert + 1)
        tiles = tl.cdiv(last - first, BLOCK_M) * tiles_n
        while tile < done + tiles:
            row = first + (tile - done) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
            column = (tile - done) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
            total = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
            for start in range(0, inner, BLOCK_K):
                k = start + tl.arange(0, BLOCK_K)
                left = tl.load(a + row[:, None] * inner + k[None, :],
                               mask=(row[:, None] < last) & (k[None, :] < inner), other=0.0)
                right = tl.load(b + expert * inner * columns + k[:, None] * columns + column[None, :],
                                mask=(k[:, None] < inner) & (column[None, :] < columns), other=0.0)
                total = tl.dot(left, right, total)
            inside = (row[:, None] < last) & (column[None, :] < columns)
            tl.store(c + row[:, None] * columns + column[None, :], total.to(tl.bfloat16), mask=inside)
            tile += tl.num_programs(0)
        done += tiles
