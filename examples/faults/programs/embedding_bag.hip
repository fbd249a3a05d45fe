// SPDX-License-Identifier: MIT
// Sums of eight rows of a table, 40 values a row: a workgroup of 40 work-items a bag, and one of 320 for eight of them.
// fault: unused-lanes
// launch: --grid 655360 --workgroup 40 --arg f32:random(1):1310720 --arg u32:random(2):131072 --arg f32:zero:655360
// launch fast: --grid 655360 --workgroup 320 --arg f32:random(1):1310720 --arg u32:random(2):131072 --arg f32:zero:655360
#include <hip/hip_runtime.h>

constexpr unsigned kWidth = 40, kRows = 32768, kInBag = 8;

extern "C" __global__ void slow(const float* table, const unsigned* ids, float* out) {
  const unsigned bag = blockIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < kInBag; ++k)
    sum += table[(ids[bag * kInBag + k] & (kRows - 1)) * kWidth + threadIdx.x];
  out[bag * kWidth + threadIdx.x] = sum;
}
extern "C" __global__ void fast(const float* table, const unsigned* ids, float* out) {
  const unsigned bag = blockIdx.x * 8 + threadIdx.x / kWidth, at = threadIdx.x % kWidth;
  float sum = 0;
  for (unsigned k = 0; k < kInBag; ++k) sum += table[(ids[bag * kInBag + k] & (kRows - 1)) * kWidth + at];
  out[bag * kWidth + at] = sum;
}
