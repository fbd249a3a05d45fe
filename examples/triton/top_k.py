# SPDX-License-Identifier: MIT
# The COUNT largest of each row, largest first, with their columns; of equal ones the first.
import triton
import triton.language as tl


@triton.jit
def top_k(largest, places, values, columns, COUNT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(values + row * columns + column, mask=column < columns, other=float("-inf"))
    for rank in range(COUNT):
        best, place = tl.max(value, axis=0, return_indices=True)
        tl.store(largest + row * COUNT + rank, best)
        tl.store(places + row * COUNT + rank, place)
        value = tl.where(column == place, float("-inf"), value)
