// SPDX-License-Identifier: MIT
// out = a + b, four numbers for each work-item, so that each load and store moves 16 bytes.
#include <hip/hip_runtime.h>

using Four = float __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256) void vector_add_wide(const Four* a, const Four* b, Four* out, int fours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < fours) out[i] = a[i] + b[i];
}
