// SPDX-License-Identifier: MIT
// A work-item adds up 64 bytes one by one.
// launch: --grid 8192 --workgroup 256 --arg u8:random(1):524288 --arg i32:zero:8192 --arg i32:8192
// expert: --items 16
#include <hip/hip_runtime.h>

extern "C" __global__ void byte_rows(const unsigned char* x, int* sums, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += x[row * 64 + i];
  sums[row] = sum;
}
