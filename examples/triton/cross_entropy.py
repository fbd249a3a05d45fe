# SPDX-License-Identifier: MIT
# Cross entropy of each row of logits against one label, and its gradient; rows longer than a block are walked twice.
import triton
import triton.language as tl


@triton.jit
def cross_entropy(losses, gradient, logits, labels, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    logits += row * columns
    gradient += row * columns
    label = tl.load(labels + row)
    largest = float("-inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        value = tl.load(logits + column, mask=column < columns, other=float("-inf"))
        peak = tl.maximum(largest, tl.max(value, axis=0))
        total = total * tl.exp(largest - peak) + tl.sum(tl.exp(value - peak), axis=0)
        largest = peak
    logarithm = largest + tl.log(total)
    tl.store(losses + row, logarithm - tl.load(logits + label))
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        value = tl.load(logits + column, mask=column < columns, other=float("-inf"))
        share = tl.exp(value - logarithm)
        tl.store(gradient + column, tl.where(column == label, share - 1.0, share), mask=column < columns)
