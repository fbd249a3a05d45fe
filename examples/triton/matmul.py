# SPDX-License-Identifier: MIT
# C = A B of halves with sums of floats. A is ROWS x INNER, B is INNER x COLUMNS, all in rows; neighbouring programs share columns of B.
import triton
import triton.language as tl


@triton.jit
def matmul(c, a, b, rows, columns, inner, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
           GROUP: tl.constexpr):
    program = tl.program_id(0)
    tiles_m = tl.cdiv(rows, BLOCK_M)
    tiles_n = tl.cdiv(columns, BLOCK_N)
    in_group = GROUP * tiles_n
    first = program // in_group * GROUP
    height = min(tiles_m - first, GROUP)
    tile_m = first + program % in_group % height
    tile_n = program % in_group // height
    row = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_tile = a + row[:, None] * inner + k[None, :]
    b_tile = b + k[:, None] * columns + column[None, :]
    total = tl.zeros([BLOCK_M, BLOCK_N], tl.float32)
    for start in range(0, inner, BLOCK_K):
        left = tl.load(a_tile, mask=(row[:, None] < rows) & (start + k[None, :] < inner), other=0.0)
        right = tl.load(b_tile, mask=(start + k[:, None] < inner) & (column[None, :] < columns), other=0.0)
        total = tl.dot(left, right, total)
        a_tile += BLOCK_K
        b_tile += BLOCK_K * columns
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(c + row[:, None] * columns + column[None, :], total.to(tl.float16), mask=inside)
