// SPDX-License-Identifier: MIT
// Each work-item walks a row, so neighbours are a row apart.
// fault: uncoalesced-load,narrow-loads
// launch: --grid 262144 --workgroup 256 --arg f32:random(1):17039360 --arg f32:zero:262144 --arg i32:262144
#include <hip/hip_runtime.h>

extern "C" __global__ void slow(const float* in, float* out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 65; ++i) sum += in[row * 65 + i];  // fault
  out[row] = sum;
}

extern "C" __global__ void fast(const float* in, float* out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 65; ++i) sum += in[i * n + row];
  out[row] = sum;
}
