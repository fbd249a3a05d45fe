// SPDX-License-Identifier: MIT
// The sum of each column, taken by work-items that are a row apart.
// fault: uncoalesced-load,narrow-loads
// launch: --grid 131072 --workgroup 128 --arg f32:random(1):16908288 --arg f32:zero:131072
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = 0;
  for (int k = 0; k < 129; ++k) most = fmaxf(most, in[i * 129 + k]);  // fault
  out[i] = most;
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = 0;
  for (int k = 0; k < 129; ++k) most = fmaxf(most, in[k * 131072 + i]);
  out[i] = most;
}
