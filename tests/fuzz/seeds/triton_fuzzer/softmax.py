# SPDX-License-Identifier: MIT
# Softmax of each row: one program a row, which fits a block.
import triton
import triton.language as tl


@triton.jit
def softmax(result, values, row_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(values + row * row_stride + column, mask=inside, other=float("-inf"))
    largest = tl.max(value, axis=0)
    power = tl.exp(value - largest)
    total = tl.sum(power, axis=0)
    tl.store(result + row * row_stride + column, power / total, mask=inside)
