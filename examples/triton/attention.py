# SPDX-License-Identifier: MIT
# Causal attention, forward: blocks of keys pass a block of queries, whose softmax is kept running. A head is LENGTH x WIDTH halves.
import triton
import triton.language as tl


@triton.jit
def attention(result, queries, keys, values, length, scale, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr,
              BLOCK_K: tl.constexpr):
    head = tl.program_id(1) * length * WIDTH
    row = tl.program_id(0) * BLOCK_Q + tl.arange(0, BLOCK_Q)
    lane = tl.arange(0, WIDTH)
    place = head + row[:, None] * WIDTH + lane[None, :]
    query = tl.load(queries + place, mask=row[:, None] < length, other=0.0)
    largest = tl.full([BLOCK_Q], -1.0e30, tl.float32)
    total = tl.zeros([BLOCK_Q], tl.float32)
    mixed = tl.zeros([BLOCK_Q, WIDTH], tl.float32)
    for start in range(0, min((tl.program_id(0) + 1) * BLOCK_Q, length), BLOCK_K):
        key_row = start + tl.arange(0, BLOCK_K)
        there = key_row < length
        key = tl.load(keys + head + key_row[None, :] * WIDTH + lane[:, None], mask=there[None, :], other=0.0)
        score = tl.dot(query, key) * scale
        score = tl.where((key_row[None, :] <= row[:, None]) & there[None, :], score, -1.0e30)
        peak = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp(score - peak[:, None])
        shrink = tl.exp(largest - peak)
        total = total * shrink + tl.sum(weight, axis=1)
        value = tl.load(values + head + key_row[:, None] * WIDTH + lane[None, :], mask=there[:, None], other=0.0)
        mixed = tl.dot(weight.to(tl.float16), value, mixed * shrink[:, None])
        largest = peak
    tl.store(result + place, (mixed / total[:, None]).to(tl.float16), mask=row[:, None] < length)
