# SPDX-License-Identifier: MIT
# Layer norm of each row with weight and bias; keeps mean and reciprocal deviation for a backward pass.
import triton
import triton.language as tl


@triton.jit
def layer_norm(result, values, weight, bias, means, deviations, row_stride, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    values += row * row_stride
    result += row * row_stride
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        total += tl.load(values + column, mask=column < columns, other=0.0)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        value = tl.load(values + column, mask=column < columns, other=0.0)
        distance = tl.where(column < columns, value - mean, 0.0)
        squares += distance * distance
    variance = tl.sum(squares, axis=0) / columns
    reciprocal = 1.0 / tl.sqrt(variance + epsilon)
    tl.store(means + row, mean)
    tl.store(deviations + row, reciprocal)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        inside = column < columns
        value = tl.load(values + column, mask=inside, other=0.0)
        scale = tl.load(weight + column, mask=inside)
        shift = tl.load(bias + column, mask=inside)
        tl.store(result + column, (value - mean) * reciprocal * scale + shift, mask=inside)
